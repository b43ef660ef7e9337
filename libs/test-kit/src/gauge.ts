import type { ServiceName, System } from '@confetti/launcher'

/** What a gauge of a service says now, added up over its replicas. Throws where one of them has none. */
export const gauge = async (
  { replicas }: Pick<System, 'replicas'>,
  service: ServiceName,
  name: string,
): Promise<number> => {
  const values = await Promise.all(
    replicas(service).map(async ({ metricsUrl }) => {
      const text = await (await fetch(metricsUrl)).text()
      const value = new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'm').exec(text)?.[1]
      if (value === undefined) throw new Error(`${service} has no gauge ${name}`)
      return Number(value)
    }),
  )
  return values.reduce((sum, value) => sum + value, 0)
}
