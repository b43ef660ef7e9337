import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL } = constants.priority

/**
 * Lowers the priority of a process that leads a session, and of its children, so that services that share its
 * processors and receive uploads run first. Linux may divide processor time between sessions before it considers
 * priorities: see autogroups in sched(7).
 */
export const lowerPriority = (pid: number): void => {
  try {
    setPriority(pid, PRIORITY_BELOW_NORMAL)
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_BELOW_NORMAL))
  } catch {
    // The process has ended, or the system has no autogroups or allows no more than ten changes a second.
  }
}
