// The services as images run them, from bundles. These tests share one system.
import { afterAll } from '@jest/globals'
import { stopSharedSystems } from './shared-system.ts'
import './bundles-tests.ts'
import './link-previews-tests.ts'
import './security/api-tests.ts'

afterAll(stopSharedSystems)
