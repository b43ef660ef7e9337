import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { remoteNames, type SiteConfig } from '@confetti/federation/remote'
import { pointedConfig } from './pointed-config.ts'

// Points a site's config.json at a version of a remote, after a look at what is there. Rolling back is the same.

const usage = `npm run point-remote -- remote version --config config.json --site https://confetti.example.org [--write]
  Prints the new config.json, or writes it where the old one is.`

const point = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { config: { type: 'string' }, site: { type: 'string' }, write: { type: 'boolean' } },
  })
  const { config: file, site, write } = values
  const remote = remoteNames.find((name) => name === positionals[0])
  const version = positionals[1]
  if (!remote || !version || !file || !site) throw new Error(usage)
  const config = JSON.parse(await readFile(file, 'utf8')) as SiteConfig
  const text = `${JSON.stringify(await pointedConfig({ config, site, remote, version }), null, 2)}\n`
  if (write) await writeFile(file, text)
  else process.stdout.write(text)
}

try {
  await point()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
