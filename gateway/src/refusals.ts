import { toAppError, type Metrics } from '@confetti/service-kit'
import { Counter } from 'prom-client'

/** Counts the errors with which the gateway itself answers, in the place of a service. */
export const createRefusals = (metrics: Metrics) => {
  const refused = new Counter({
    name: 'gateway_refused_total',
    help: 'Calls that the gateway itself answered with an error, by its code',
    labelNames: ['code'] as const,
    registers: [metrics],
  })
  return (error: unknown): void => refused.inc({ code: toAppError(error).code })
}
export type CountRefusal = ReturnType<typeof createRefusals>
