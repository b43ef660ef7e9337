import { rm, writeFile } from 'node:fs/promises'
import { ensurePrograms, startBackends } from '@confetti/backends'
import { buildFrontends, ensureSigningKeys, startFrontends, startSystem } from '@confetti/launcher'
import { demoAdmin, demoOrganiser, ensureDemoData } from './demo-data.ts'
import { mediaTools } from './media-tools.ts'
import { addressesFile, addressesOf, dataDir, devPorts, namespace, ports, signingKeysFile } from './places.ts'
import { requireFreePorts } from './ports.ts'
import { serviceLog } from './service-log.ts'

const say = (line: string): void => console.log(line)
const shellUrl = `http://localhost:${ports.shell}`
// A team that works on one remote alone serves it by `npm run dev`, beside the rest.
const origins = [shellUrl, ...Object.values(devPorts).map((port) => `http://localhost:${port}`)].join(',')

const startAll = async (closers: (() => Promise<unknown>)[]): Promise<void> => {
  await requireFreePorts({
    'the site': ports.shell,
    'the API': ports.gateway,
    'blob storage': ports.blob,
  })

  say('Looking for the servers that Confetti stands on ...')
  const missing = await ensurePrograms(mediaTools, say)
  if (missing.length > 0)
    say(`Not to be had here, so some media will have no pictures: ${missing.join(', ')}`)
  const backends = await startBackends({ dataDir, blobPort: ports.blob, report: say })
  closers.push(() => backends.stop())
  const addresses = addressesOf(backends)
  await writeFile(addressesFile, JSON.stringify(addresses, undefined, 2), { mode: 0o600 })
  closers.push(() => rm(addressesFile))

  say('Building the screens ...')
  await buildFrontends()

  say('Starting the services ...')
  ensureSigningKeys(signingKeysFile)
  const system = await startSystem({
    backends: addresses,
    signingKeysFile,
    namespace,
    shellUrl,
    environment: {
      gateway: { PORT: String(ports.gateway), SHELL_ORIGINS: origins },
      uploads: { SHELL_ORIGINS: origins },
    },
    onLine: (_, line) => serviceLog.write(`${line}\n`),
  })
  closers.push(system.stop)

  const frontends = await startFrontends({
    apiUrl: () => `http://localhost:${ports.gateway}`,
    shellPort: ports.shell,
  })
  closers.push(frontends.stop)

  const [party, ...others] = await ensureDemoData(system)
  say(`
Confetti is up: ${shellUrl}

  guests     ${party?.name ?? ''}: ${party?.uploadUrl ?? ''}
  organiser  ${demoOrganiser.email} / ${demoOrganiser.password}
  admin      ${demoAdmin.email} / ${demoAdmin.password}
  API        http://localhost:${ports.gateway}/api        (documents: http://localhost:${ports.gateway}/api/docs)
  more       ${others.map(({ name, uploadUrl }) => `${name}: ${uploadUrl}`).join('\n             ')}

Ctrl-C stops all of it; the data stays in .confetti/.
`)
}

const closers: (() => Promise<unknown>)[] = []
let stopping: Promise<void> | undefined
const stop = (status: number): Promise<void> =>
  (stopping ??= (async () => {
    for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error))
    process.exit(status)
  })())

const starting = startAll(closers)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (stopping) return
    say('Stopping ...')
    // What is being started cannot be stopped half-way.
    void starting.catch(() => undefined).then(() => stop(0))
  })
try {
  await starting
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  await stop(1)
}
