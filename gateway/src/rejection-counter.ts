import { toAppError, type Metrics } from '@confetti/service-kit'
import { Counter } from 'prom-client'

/** Counts the requests that the gateway itself answers with an error. */
export const createRejectionCounter = (metrics: Metrics) => {
  const rejections = new Counter({
    name: 'gateway_refused_total',
    help: 'Requests that the gateway itself answered with an error, by error code',
    labelNames: ['code'] as const,
    registers: [metrics],
  })
  return (error: unknown): void => rejections.inc({ code: toAppError(error).code })
}
export type CountRejection = ReturnType<typeof createRejectionCounter>
