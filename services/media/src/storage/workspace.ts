import { mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const PREFIX = 'confetti-media-'
// What a decode may write beside the original.
const ROOM_FOR_DECODE_BYTES = 256 * 1_048_576

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Removes what killed workers left behind: folders named after a process that is gone, or that we are now. */
const removeLeftovers = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue
    const pid = Number(name.slice(PREFIX.length))
    if (pid !== process.pid && isAlive(pid)) continue
    await rm(join(parent, name), { recursive: true, force: true })
  }
}

/** A folder of this process in `parent`, in which each job gets a folder of its own. */
export const openWorkspace = async (parent: string) => {
  await mkdir(parent, { recursive: true })
  await removeLeftovers(parent)
  const root = join(parent, `${PREFIX}${process.pid}`)
  await mkdir(root)

  return {
    /** Lends a folder with room for `bytes`, which is removed afterwards whatever happens. Throws when there is none. */
    withFolder: async <T>(bytes: number, work: (folder: string) => Promise<T>): Promise<T> => {
      const { bavail, bsize } = await statfs(root)
      if (bavail * bsize < bytes + ROOM_FOR_DECODE_BYTES) throw new Error(`The disk of ${root} is full`)
      const folder = await mkdtemp(join(root, 'job-'))
      try {
        return await work(folder)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    close: () => rm(root, { recursive: true, force: true }),
  }
}
export type Workspace = Awaited<ReturnType<typeof openWorkspace>>
