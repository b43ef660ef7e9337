// The services as images run them, from bundles. These tests share one system.
import './bundles-tests.ts'
import './security/api-tests.ts'
