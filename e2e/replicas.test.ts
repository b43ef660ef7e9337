// Services that start, stop and run in several replicas. These tests share one system.
import './service-lifecycle-tests.ts'
import './live-tests.ts'
