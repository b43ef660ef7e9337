import { execFile } from 'node:child_process'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Room {
  megabytes: number
  /** Files and folders, the disk's own included. */
  files?: number
}

export interface SmallDisk {
  folder: string
  /** How many megabytes are in use. */
  used: () => Promise<number>
  /** Gives it more room, or takes what is not in use away. */
  resize: (room: Room) => Promise<void>
  remove: () => Promise<void>
}

const options = ({ megabytes, files = 10_000 }: Room): string => `size=${megabytes}m,nr_inodes=${files}`

/** A file system of its own, in memory, that really is full when it is full. Only root may mount one. */
export const mountSmallDisk = async (room: Room): Promise<SmallDisk> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', options(room), 'tmpfs', folder])
  return {
    folder,
    used: async () => {
      const { blocks, bfree, bsize } = await statfs(folder)
      return Math.ceil(((blocks - bfree) * bsize) / 2 ** 20)
    },
    resize: async (next) => {
      await run('mount', ['-o', `remount,${options(next)}`, folder])
    },
    remove: async () => {
      await run('umount', [folder])
      await rm(folder, { recursive: true })
    },
  }
}
