import { afterAll } from '@jest/globals'
import { stopSharedSystem } from './shared-system.ts'
// What people do through the gateway, and what is logged of it. These tests share one system.
import './all-routes-tests.ts'
import './account-journey-tests.ts'
import './photo-journey-tests.ts'
import './logs-tests.ts'

afterAll(stopSharedSystem)
