import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A mail server for development: it delivers nothing, and shows the mails on a page. */
export interface MailServer {
  smtpUrl: string
  pageUrl: string
  stop: () => Promise<void>
}

const START_TIMEOUT_MS = 30_000
const RETRY_MS = 100
const MAX_MAILS = 500

const program = fileURLToPath(new URL('../../../node_modules/maildev/dist/bin/maildev.js', import.meta.url))
// The channel to this process closes when it ends, even if it is killed.
const endWithParent = "data:text/javascript,process.once('disconnect', () => process.exit())"

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const isUp = (url: string): Promise<boolean> =>
  fetch(url, { headers: { Accept: 'text/html' }, signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Waits for the page. Throws if `child` ends before, or after 30 s. */
const waitForPage = async (url: string, child: ChildProcess): Promise<void> => {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await isUp(url))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The mail server did not start')
    await sleep(RETRY_MS)
  }
}

/** Starts MailDev as a process of its own; it keeps the last 500 mails in `folder`. */
export const startMailServer = async ({
  pagePort,
  folder,
}: {
  pagePort: number
  folder: string
}): Promise<MailServer> => {
  const smtpPort = await findFreePort()
  const options = {
    '--ip': '127.0.0.1',
    '--smtp': smtpPort,
    '--web-ip': '127.0.0.1',
    '--web': pagePort,
    '--mail-directory': folder,
    '--max-emails': MAX_MAILS,
    // Its certificate is one that every installation has.
    '--hide-extensions': 'STARTTLS',
  }
  const child = spawn(
    process.execPath,
    [
      `--import=${endWithParent}`,
      program,
      '--silent',
      ...Object.entries(options).flatMap(([name, value]) => [name, String(value)]),
    ],
    {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  )
  const ended = once(child, 'exit')
  const pageUrl = `http://localhost:${pagePort}`
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  await waitForPage(`http://127.0.0.1:${pagePort}/`, child).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { smtpUrl: `smtp://127.0.0.1:${smtpPort}`, pageUrl, stop }
}
