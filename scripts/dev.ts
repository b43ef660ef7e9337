import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { NODE_FLAGS, serviceNames, services, type ServiceName } from '@confetti/launcher'
import { onStopRequest } from './on-stop-request.ts'
import { handoverFile, root } from './paths.ts'
import type { HandedOverService } from './service-handover.ts'
import { serviceLog } from './service-log.ts'

// Takes over one service from the system that `npm start` runs, and restarts it whenever its code or that of
// a lib changes. When this command ends, the system starts its own process of the service again.

const usage = `npm run dev -- <service>                  services: ${serviceNames.join(', ')}
npm run dev -- <service> --inspect[=port]  opens the debugger, on port 9229 by default
npm run dev -w frontends/<frontend>        serves a frontend with hot reload`

const takeOver = async (
  name: ServiceName,
): Promise<{ service: HandedOverService; connection: IncomingMessage }> => {
  const url = await readFile(handoverFile, 'utf8').catch(() => {
    throw new Error('No system is running in this checkout. Start it with `npm start` in another terminal.')
  })
  const takeOverRequest = request(`${url}/${name}`, { method: 'POST' }).end()
  const [connection] = (await once(takeOverRequest, 'response').catch(() => {
    throw new Error('The system that `npm start` ran in this checkout has stopped. Start it again.')
  })) as [IncomingMessage]
  if (connection.statusCode === 409) throw new Error(`Another \`npm run dev\` already runs ${name}.`)
  if (connection.statusCode !== 200) throw new Error(`${name} is not part of this system.`)
  const [line] = (await once(createInterface({ input: connection }), 'line')) as [string]
  return { service: JSON.parse(line) as HandedOverService, connection }
}

const run = async (name: ServiceName, inspect: string | undefined): Promise<void> => {
  const { service, connection } = await takeOver(name)
  const flags = inspect === undefined ? [] : [inspect ? `--inspect=${inspect}` : '--inspect']
  const child = spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', ...NODE_FLAGS, ...flags, 'src/main.ts'],
    {
      cwd: join(root, services[name].folder),
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        TMPDIR: process.env.TMPDIR,
        ...service.environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Node's messages about restarts are not JSON.
    if (line.startsWith('{')) serviceLog.write(`${line}\n`)
    else console.log(line)
  })
  const stop = (): void => void child.kill('SIGTERM')
  onStopRequest(stop)
  connection.once('close', stop)
  await once(child, 'exit')
  connection.destroy()
}

try {
  const { values, positionals } = parseArgs({
    // parseArgs does not support options with an optional value, so `--inspect` becomes `--inspect=`.
    args: process.argv.slice(2).map((argument) => (argument === '--inspect' ? '--inspect=' : argument)),
    options: { inspect: { type: 'string' } },
    allowPositionals: true,
  })
  const name = serviceNames.find((each) => each === positionals[0])
  if (!name) throw new Error(usage)
  await run(name, values.inspect)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
