import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ServerProcess {
  url: string
  pid: number
  /** Deletes the files that the server has written. */
  clear: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts a server script from this folder, which sends its port as a message when it listens. */
export const startServer = async (file: string): Promise<ServerProcess> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-bench-'))
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), [folder])
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    clear: async () => {
      await rm(folder, { recursive: true })
      await mkdir(folder)
    },
    stop: async () => {
      child.kill()
      await once(child, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}
