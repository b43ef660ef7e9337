import type { ServiceName, System } from '@confetti/launcher'

type Labels = Readonly<Record<string, string>>

/** What a counter of a service says now, where it has these labels; added up over the service's replicas. */
export const counter = async (
  { replicas }: Pick<System, 'replicas'>,
  service: ServiceName,
  name: string,
  labels: Labels,
): Promise<number> => {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const counts = await Promise.all(
    replicas(service).map(async ({ metricsUrl }) => {
      const lines = (await (await fetch(metricsUrl)).text()).split('\n')
      const line = lines.find(
        (each) => each.startsWith(`${name}{`) && wanted.every((label) => each.includes(label)),
      )
      return Number(line?.split(' ').at(-1) ?? 0)
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
