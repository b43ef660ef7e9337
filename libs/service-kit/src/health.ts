import type { Express } from 'express'
import pTimeout from 'p-timeout'

/** Resolves if a dependency works; rejects with the reason if it does not. */
type HealthCheck = () => Promise<unknown>

/** Whether a path is that of a health probe, which an orchestrator requests every few seconds. */
export const isProbe = (path: string): boolean => path === '/healthz' || path === '/readyz'

const CHECK_TIMEOUT_MS = 2_000

const runCheck = (check: HealthCheck): Promise<string> =>
  pTimeout(check(), { milliseconds: CHECK_TIMEOUT_MS, message: 'does not answer' }).then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

export interface Health {
  /** `/readyz` fails while this check does, under its name. */
  check: (name: string, run: HealthCheck) => void
  /** Makes `/readyz` fail from now on, whatever the checks return. */
  startDraining: () => void
  isDraining: () => boolean
  mount: (app: Express) => void
}

/**
 * `/healthz` succeeds while the event loop runs. `/readyz` succeeds if all checks pass within 2 s and the service is not
 * shutting down.
 */
export const createHealth = (): Health => {
  const checks = new Map<string, HealthCheck>()
  let draining = false
  return {
    check: (name, run) => checks.set(name, run),
    startDraining: () => {
      draining = true
    },
    isDraining: () => draining,
    mount: (app) => {
      app.get('/healthz', (_, response) => {
        response.json({ status: 'ok' })
      })
      app.get('/readyz', async (_, response) => {
        const results = Object.fromEntries(
          await Promise.all([...checks].map(async ([name, check]) => [name, await runCheck(check)] as const)),
        )
        const ready = !draining && Object.values(results).every((result) => result === 'ok')
        response
          .status(ready ? 200 : 503)
          .json({ status: draining ? 'shutting down' : ready ? 'ok' : 'not ready', checks: results })
      })
    },
  }
}
