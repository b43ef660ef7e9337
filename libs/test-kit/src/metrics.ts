import type { ServiceName, System } from '@confetti/launcher'

type Labels = Readonly<Record<string, string>>
type Replicas = Pick<System, 'replicas'>

/** What `read` finds in the metrics of each replica of a service, added up. */
const sumOver = async (
  { replicas }: Replicas,
  service: ServiceName,
  read: (metrics: string) => number,
): Promise<number> => {
  const values = await Promise.all(
    replicas(service).map(async ({ metricsUrl }) => read(await (await fetch(metricsUrl)).text())),
  )
  return values.reduce((sum, value) => sum + value, 0)
}

/** What a gauge of a service says now, added up over its replicas. Throws where one of them has none. */
export const gauge = (system: Replicas, service: ServiceName, name: string): Promise<number> =>
  sumOver(system, service, (metrics) => {
    const value = new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'm').exec(metrics)?.[1]
    if (value === undefined) throw new Error(`${service} has no gauge ${name}`)
    return Number(value)
  })

/** What a counter of a service says now, where it has these labels; added up over the service's replicas. */
export const counter = (
  system: Replicas,
  service: ServiceName,
  name: string,
  labels: Labels,
): Promise<number> => {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return sumOver(system, service, (metrics) => {
    const line = metrics
      .split('\n')
      .find((each) => each.startsWith(`${name}{`) && wanted.every((label) => each.includes(label)))
    return Number(line?.split(' ').at(-1) ?? 0)
  })
}
