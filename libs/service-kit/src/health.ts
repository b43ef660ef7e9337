import type { Express } from 'express'

/** Resolves when the thing that is looked at works; rejects with the reason when it does not. */
export type HealthCheck = () => Promise<unknown>

/** Whether a path is asked by whoever watches over the process, every few seconds. */
export const isProbe = (path: string): boolean => path === '/healthz' || path === '/readyz'

const CHECK_TIME_LIMIT_MS = 2_000

const outcome = async (check: HealthCheck): Promise<string> => {
  const slow = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('does not answer')), CHECK_TIME_LIMIT_MS).unref()
  })
  return Promise.race([check(), slow]).then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

export interface Health {
  /** From now on not ready, whatever the checks say. */
  startDraining: () => void
  draining: () => boolean
  mount: (app: Express) => void
}

/** `/healthz`: the event loop turns. `/readyz`: the named checks pass and the service is not shutting down. */
export const createHealth = (checks: Readonly<Record<string, HealthCheck>>): Health => {
  let draining = false
  return {
    startDraining: () => {
      draining = true
    },
    draining: () => draining,
    mount: (app) => {
      app.get('/healthz', (_, response) => {
        response.json({ status: 'ok' })
      })
      app.get('/readyz', async (_, response) => {
        const results = Object.fromEntries(
          await Promise.all(
            Object.entries(checks).map(async ([name, check]) => [name, await outcome(check)] as const),
          ),
        )
        const ready = !draining && Object.values(results).every((result) => result === 'ok')
        response
          .status(ready ? 200 : 503)
          .json({ status: draining ? 'shutting down' : ready ? 'ok' : 'not ready', checks: results })
      })
    },
  }
}
