import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './run-tool.ts'

export type Environment = Record<string, string>

export const parseEnvironment = (lines: string): Environment =>
  Object.fromEntries([...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

/** Parses a Compose file. Its services merge the same parts more often than the parser allows by default. */
export const parseCompose = (text: string): unknown => parse(text, { merge: true, maxAliasCount: 1_000 })

/** A service of docker-compose.yml. */
interface ComposeService {
  environment: Environment
  stopGracePeriod: string
  /** The variables of its files, of which a later one overrides an earlier one. */
  fileEnvironment: Environment
}

export const readComposeService = async (name: string): Promise<ComposeService> => {
  const { services } = parseCompose(await readFile(join(root, 'docker-compose.yml'), 'utf8')) as {
    services: Record<
      string,
      { env_file: string | string[]; environment: Environment; stop_grace_period: string }
    >
  }
  const service = services[name]
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`)
  const files = [service.env_file].flat().map((file) => readFile(join(root, file), 'utf8'))
  return {
    environment: service.environment,
    stopGracePeriod: service.stop_grace_period,
    fileEnvironment: parseEnvironment((await Promise.all(files)).join('\n')),
  }
}
