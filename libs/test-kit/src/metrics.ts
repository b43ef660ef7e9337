import type { ServiceName, System } from '@confetti/launcher'

type Labels = Readonly<Record<string, string>>
type Replicas = Pick<System, 'replicas'>

/** Applies `read` to the metrics of each replica of a service and returns the sum. */
const sumOverReplicas = async (
  { replicas }: Replicas,
  service: ServiceName,
  read: (metrics: string) => number,
): Promise<number> => {
  const values = await Promise.all(
    replicas(service).map(async ({ metricsUrl }) => read(await (await fetch(metricsUrl)).text())),
  )
  return values.reduce((sum, value) => sum + value, 0)
}

/**
 * Returns the current value of a gauge, summed over the service's replicas. Throws if a replica lacks the
 * gauge.
 */
export const readGauge = (system: Replicas, service: ServiceName, name: string): Promise<number> =>
  sumOverReplicas(system, service, (metrics) => {
    const value = new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'm').exec(metrics)?.[1]
    if (value === undefined) throw new Error(`${service} has no gauge ${name}`)
    return Number(value)
  })

/**
 * Returns the current value of the counter with these labels, summed over the service's replicas; 0 if
 * absent.
 */
export const readCounter = (
  system: Replicas,
  service: ServiceName,
  name: string,
  labels: Labels,
): Promise<number> => {
  const wantedLabels = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return sumOverReplicas(system, service, (metrics) => {
    const line = metrics
      .split('\n')
      .find((each) => each.startsWith(`${name}{`) && wantedLabels.every((label) => each.includes(label)))
    return Number(line?.split(' ').at(-1) ?? 0)
  })
}
