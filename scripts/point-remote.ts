import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { remoteNames, type SiteConfig } from '@confetti/federation/remote'
import { updateRemoteVersion } from './remote-version.ts'

// Points a site's config.json at a version of a remote, after checking that version. A rollback uses the same
// command.

const usage = `npm run point-remote -- remote version --config config.json --site https://confetti.example.org [--write]
  Prints the new config.json. With --write, replaces the old one.`

const pointRemote = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { config: { type: 'string' }, site: { type: 'string' }, write: { type: 'boolean' } },
  })
  const { config: file, site, write } = values
  const remote = remoteNames.find((name) => name === positionals[0])
  const version = positionals[1]
  if (!remote || !version || !file || !site) throw new Error(usage)
  const config = JSON.parse(await readFile(file, 'utf8')) as SiteConfig
  const text = `${JSON.stringify(await updateRemoteVersion({ config, site, remote, version }), null, 2)}\n`
  if (write) await writeFile(file, text)
  else process.stdout.write(text)
}

try {
  await pointRemote()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
