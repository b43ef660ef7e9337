import { execFile } from 'node:child_process'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface DiskSize {
  megabytes: number
  /** Maximum number of files and folders, including the root folder. */
  files?: number
}

export interface SmallDisk {
  folder: string
  /** Resolves with the megabytes in use. */
  used: () => Promise<number>
  /** Changes the size; what is in use stays. */
  resize: (size: DiskSize) => Promise<void>
  remove: () => Promise<void>
}

const mountOptions = ({ megabytes, files = 10_000 }: DiskSize): string =>
  `size=${megabytes}m,nr_inodes=${files}`

/** Mounts a tmpfs file system of that size, which fails with ENOSPC when it is full. Needs root. */
export const mountSmallDisk = async (size: DiskSize): Promise<SmallDisk> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', mountOptions(size), 'tmpfs', folder])
  return {
    folder,
    used: async () => {
      const { blocks, bfree, bsize } = await statfs(folder)
      return Math.ceil(((blocks - bfree) * bsize) / 2 ** 20)
    },
    resize: async (newSize) => {
      await run('mount', ['-o', `remount,${mountOptions(newSize)}`, folder])
    },
    remove: async () => {
      await run('umount', [folder])
      await rm(folder, { recursive: true })
    },
  }
}
