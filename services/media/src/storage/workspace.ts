import { mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { unavailable } from '@confetti/service-kit'

const PREFIX = 'confetti-media-'
// A decoder may write this much besides the original.
const DECODER_SCRATCH_BYTES = 256 * 1_048_576

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Removes the folders of dead workers. A folder with this process's own id is left over from an earlier process. */
const removeLeftovers = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue
    const pid = Number(name.slice(PREFIX.length))
    if (pid !== process.pid && isAlive(pid)) continue
    await rm(join(parent, name), { recursive: true, force: true })
  }
}

/** Creates a folder for this process in `parent`, where each job gets a temporary folder. */
export const openWorkspace = async (parent: string) => {
  await mkdir(parent, { recursive: true })
  await removeLeftovers(parent)
  const root = join(parent, `${PREFIX}${process.pid}`)
  await mkdir(root)

  return {
    /**
     * Runs `work` with a temporary folder, which is removed afterwards. Throws `unavailable` if the disk has no space for a
     * file of `bytes` and what decoding it needs: that is no fault of the file, and must not use up its attempts.
     */
    withTempFolder: async <T>(bytes: number, work: (folder: string) => Promise<T>): Promise<T> => {
      const { bavail, bsize } = await statfs(root)
      if (bavail * bsize < bytes + DECODER_SCRATCH_BYTES) throw unavailable(`The disk of ${root} is full`)
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
