// What clients send through the gateway. These tests share one system.
import { afterAll } from '@jest/globals'
import { stopSharedSystems } from '../shared-system.ts'
import './request-smuggling-tests.ts'
import './names-tests.ts'
import './tokens-tests.ts'
import './access-control-tests.ts'
import './multipart-tests.ts'
import './encoded-bodies-tests.ts'

afterAll(stopSharedSystems)
