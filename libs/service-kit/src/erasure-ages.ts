import { Gauge } from 'prom-client'
import type { Service } from './service.ts'

/** Measures how long the oldest erasure has waited for each of the services that must complete it. */
export const createErasureAges = <Holder extends string>(
  { registry, clock }: Pick<Service, 'registry' | 'clock'>,
  { name, help, holders }: { name: string; help: string; holders: readonly Holder[] },
) => {
  const oldest = new Map<Holder, Date | undefined>()
  new Gauge({
    name,
    help,
    labelNames: ['holder'] as const,
    registers: [registry],
    collect() {
      for (const holder of holders) {
        const at = oldest.get(holder)
        this.set({ holder }, at ? Math.max(0, clock().getTime() - at.getTime()) / 1_000 : 0)
      }
    },
  })
  return {
    /** Finds out for each service when the oldest erasure was made that it has not completed. */
    measure: async (findOldest: (holder: Holder) => Promise<Date | undefined>): Promise<void> => {
      for (const holder of holders) oldest.set(holder, await findOldest(holder))
    },
  }
}
