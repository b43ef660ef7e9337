import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL } = constants.priority

/**
 * Lets a process that leads a session, and what it starts, run after those that take photos in, where they share a
 * processor. Linux may share processors between sessions before it looks at priorities: see autogroups in sched(7).
 */
export const giveWay = (pid: number): void => {
  try {
    setPriority(pid, PRIORITY_BELOW_NORMAL)
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_BELOW_NORMAL))
  } catch {
    // The process has ended, or the system has no autogroups, or lets them be changed but ten times a second.
  }
}
