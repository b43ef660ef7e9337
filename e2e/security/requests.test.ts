import { afterAll } from '@jest/globals'
import { stopSharedSystem } from '../shared-system.ts'
// What clients send through the gateway. These tests share one system.
import './request-smuggling-tests.ts'
import './names-tests.ts'
import './tokens-tests.ts'
import './access-control-tests.ts'
import './multipart-tests.ts'
import './encoded-bodies-tests.ts'

afterAll(stopSharedSystem)
