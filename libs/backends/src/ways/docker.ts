import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { freePort } from '../ports.ts'
import type { Protocol, Way } from '../plan.ts'
import { run, tail } from '../programs.ts'

interface Image extends Protocol {
  image: string
  port: number
  /** The folder in the container where its data lies. */
  dataPath: string
  url: (port: number) => string
  /** What follows the image on the command line. */
  args?: string[]
}

const isHere = async (image: string): Promise<boolean> =>
  (await run('docker', ['image', 'inspect', image])).ok

/** Runs an image with its data in this backend's folder, where Docker's daemon answers and the image can be had. */
export const inDocker =
  ({ image, port: inside, dataPath, url, args = [], ...protocol }: Image): Way =>
  async ({ dataDir, folder, report }) => {
    if (!(await run('docker', ['info'], { seconds: 5 })).ok) return 'Docker does not answer'
    if (!(await isHere(image))) {
      report(`pulling the Docker image ${image} ...`)
      const pulled = await run('docker', ['pull', image], { seconds: 600 })
      if (!pulled.ok) return `Docker cannot pull ${image} (${tail(pulled.output, 1)})`
    }

    const name = `confetti-${basename(folder)}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
    // As the caller's own user, so that the caller may delete what the server has written.
    const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
    const layout = async () => {
      await mkdir(folder, { recursive: true })
      await run('docker', ['rm', '--force', name])
      const port = await freePort()
      const command = ['run', '--rm', '--name', name, '--hostname', 'confetti', '--user', user]
      const wiring = ['--publish', `127.0.0.1:${port}:${inside}`, '--volume', `${folder}:${dataPath}`]
      return {
        url: url(port),
        servers: [
          {
            ...protocol,
            name: `${basename(folder)}-in-docker`,
            command: 'docker',
            args: [...command, ...wiring, image, ...args],
            port,
            // `docker run` hands on most signals, but not SIGKILL and SIGSTOP.
            send: (signal: NodeJS.Signals) =>
              void execFile('docker', ['kill', '--signal', signal, name], () => {}),
          },
        ],
      }
    }
    return { origin: `Docker image ${image}, data in ${folder}`, layout }
  }
