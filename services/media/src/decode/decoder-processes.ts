import { fork, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DecodeJob } from './decoder-protocol.ts'

// Its extension is another one in a bundle.
const decoder = fileURLToPath(new URL(`./decoder${extname(import.meta.filename)}`, import.meta.url))

const { PRIORITY_BELOW_NORMAL } = constants.priority

/**
 * Lowers the priority of a process that leads a session, and of its children, so that services that share its
 * processors and receive uploads run first. Linux may divide processor time between sessions before it considers
 * priorities: see autogroups in sched(7).
 */
const lowerPriority = (pid: number): void => {
  try {
    setPriority(pid, PRIORITY_BELOW_NORMAL)
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_BELOW_NORMAL))
  } catch {
    // The process has ended, or the system has no autogroups or allows no more than ten changes a second.
  }
}

/** Starts a decoder process with its first job. */
export const startDecoder = (
  job: DecodeJob,
  { path, priority }: { path: string; priority: 'low' | 'normal' },
): ChildProcess => {
  const child = fork(decoder, [JSON.stringify(job)], {
    execArgv: [],
    // The decoder parses untrusted bytes, so it gets none of the worker's secrets.
    env: { PATH: path },
    // Its own process group: Ctrl-C in a terminal does not interrupt a decode, and `killGroup` ends all of it.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (child.pid && priority === 'low') lowerPriority(child.pid)
  return child
}

/** Kills a decoder and the programs that it has started, which are in its process group. */
export const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}

const MAX_WAIT_MS = 10_000

/**
 * Keeps decoders that have decoded a file of a guest for the next files of the same guest, as starting a decoder takes as
 * much processor time as half a photo. A file can only harm what its own guest has sent. At most `limit` wait.
 */
export const createWarmDecoders = (limit: number) => {
  /** The first one has waited the longest. */
  const waiting = new Map<ChildProcess, { guestId: string; stopWaiting: () => void }>()
  const kill = (child: ChildProcess): void => {
    waiting.get(child)?.stopWaiting()
    killGroup(child)
  }

  return {
    /** Returns a decoder that has waited for a file of the guest, if there is one. */
    take: (guestId: string): ChildProcess | undefined => {
      const [child, waits] = [...waiting].find(([, each]) => each.guestId === guestId) ?? []
      waits?.stopWaiting()
      return child
    },

    keep: (guestId: string, child: ChildProcess): void => {
      const onEnd = () => kill(child)
      const timer = setTimeout(onEnd, MAX_WAIT_MS)
      child.once('close', onEnd)
      const stopWaiting = () => {
        clearTimeout(timer)
        child.off('close', onEnd)
        waiting.delete(child)
      }
      waiting.set(child, { guestId, stopWaiting })
      const [longest] = waiting.keys()
      if (waiting.size > limit && longest) kill(longest)
    },

    killAll: (): void => {
      for (const child of waiting.keys()) kill(child)
    },
  }
}

export type WarmDecoders = ReturnType<typeof createWarmDecoders>
