import { rm, writeFile } from 'node:fs/promises'
import { ensurePrograms, startBackends } from '@confetti/backends'
import {
  buildFrontends,
  ensureSigningKeys,
  startFrontends,
  startMailServer,
  startSystem,
} from '@confetti/launcher'
import { getBackendAddresses, namespace } from './backend-addresses.ts'
import { demoAdmin, demoOrganiser, ensureDemoData } from './demo-data.ts'
import { mediaTools } from './media-tools.ts'
import { onStopRequest } from './on-stop-request.ts'
import { addressesFile, dataDir, handoverFile, mailDir, signingKeysFile } from './paths.ts'
import { devPorts, ports, requireFreePorts } from './ports.ts'
import { startServiceHandover } from './service-handover.ts'
import { serviceLog } from './service-log.ts'

const print = (line: string): void => console.log(line)
const shellUrl = `http://localhost:${ports.shell}`
// Includes the development servers of `npm run dev`, whose pages call the same API.
const shellOrigins = [shellUrl, ...Object.values(devPorts).map((port) => `http://localhost:${port}`)].join(
  ',',
)

const startAll = async (closers: (() => Promise<unknown>)[]): Promise<void> => {
  await requireFreePorts({
    'the site': ports.shell,
    'the API': ports.gateway,
    'blob storage': ports.blob,
    'the mail server': ports.mail,
  })

  print('Starting MongoDB, RabbitMQ, Redis and blob storage ...')
  const missing = await ensurePrograms(mediaTools, print)
  if (missing.length > 0) print(`Not installed, so some media will have no thumbnails: ${missing.join(', ')}`)
  const backends = await startBackends({ dataDir, blobPort: ports.blob, report: print })
  closers.push(() => backends.stop())
  const addresses = getBackendAddresses(backends)
  await writeFile(addressesFile, JSON.stringify(addresses, undefined, 2), { mode: 0o600 })
  closers.push(() => rm(addressesFile))

  const mailServer = await startMailServer({ pagePort: ports.mail, folder: mailDir })
  closers.push(mailServer.stop)

  print('Building the frontends ...')
  await buildFrontends()

  print('Starting the services ...')
  ensureSigningKeys(signingKeysFile)
  const system = await startSystem({
    backends: addresses,
    signingKeysFile,
    namespace,
    shellUrl,
    environment: {
      gateway: { PORT: String(ports.gateway), SHELL_ORIGINS: shellOrigins },
      auth: { MAIL: 'on' },
      // As in k8s/base/events/config.env: 50 GB and 20,000 files.
      events: { MAIL: 'on', NEW_EVENT_MAX_FILES: '20000', NEW_EVENT_MAX_BYTES: '53687091200' },
      uploads: { SHELL_ORIGINS: shellOrigins },
      notifications: { SMTP_URL: mailServer.smtpUrl, API_URL: `http://localhost:${ports.gateway}` },
    },
    onLine: (_, line) => serviceLog.write(`${line}\n`),
  })
  closers.push(system.stop)
  const handover = await startServiceHandover(system, print)
  closers.push(handover.close)
  await writeFile(handoverFile, handover.url, { mode: 0o600 })
  closers.push(() => rm(handoverFile))

  const frontends = await startFrontends({
    apiUrl: () => `http://localhost:${ports.gateway}`,
    shellPort: ports.shell,
  })
  closers.push(frontends.stop)

  const [activeEvent, ...otherEvents] = await ensureDemoData(system)
  print(`
Confetti is up: ${shellUrl}

  guests     ${activeEvent?.name ?? ''}: ${activeEvent?.uploadUrl ?? ''}
  organiser  ${demoOrganiser.email} / ${demoOrganiser.password}
  admin      ${demoAdmin.email} / ${demoAdmin.password}
  API        http://localhost:${ports.gateway}/api        (documents: http://localhost:${ports.gateway}/api/docs)
  mails      ${mailServer.pageUrl}
  more       ${otherEvents.map(({ name, uploadUrl }) => `${name}: ${uploadUrl}`).join('\n             ')}

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
onStopRequest(() => {
  if (stopping) return
  print('Stopping ...')
  // Waits until the start has finished or failed, because only then all closers are registered.
  void starting.catch(() => undefined).then(() => stop(0))
})
try {
  await starting
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  await stop(1)
}
