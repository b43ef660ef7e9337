// What people do through the gateway, what is logged of it, and what an erasure leaves. These tests share one system.
import { afterAll } from '@jest/globals'
import { stopSharedSystems } from './shared-system.ts'
import './all-routes-tests.ts'
import './account-journey-tests.ts'
import './photo-journey-tests.ts'
import './event-links-tests.ts'
import './erasure-tests.ts'
import './logs-tests.ts'

afterAll(stopSharedSystems)
