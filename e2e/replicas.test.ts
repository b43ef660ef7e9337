// Services that start, stop and run in several replicas. These tests share one system.
import { afterAll } from '@jest/globals'
import { stopSharedSystems } from './shared-system.ts'
import './service-lifecycle-tests.ts'
import './live-tests.ts'

afterAll(stopSharedSystems)
