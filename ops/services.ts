import { serviceNames, services, type ServiceName } from '@confetti/launcher'
import type { z } from 'zod'

const schemaOf = async (name: ServiceName): Promise<z.ZodObject> => {
  const { configSchema } = (await import(`../${services[name].folder}/src/config.ts`)) as {
    configSchema: z.ZodObject
  }
  return configSchema
}

/** The Deployments and Compose services of backend pods, and the service that each of them runs. */
export const deployments: ReadonlyMap<string, ServiceName> = new Map([
  ...serviceNames.map((name) => [name, name] as const),
  ['renditions', 'media'],
])

/** The configuration schema of each service. */
export const schemas = Object.fromEntries(
  await Promise.all(serviceNames.map(async (name) => [name, await schemaOf(name)] as const)),
) as Record<ServiceName, z.ZodObject>
