import type { CDPSession } from 'playwright-core'
import { findChildProcesses, residentBytes } from './processes.ts'
import { MB } from './units.ts'

export interface PageMemory {
  /** JavaScript objects. */
  heapMB: number
  /** Resident memory of the page's process, with decoded pictures. */
  processMB: number
  /** Nodes of the document and those that scripts keep. */
  nodes: number
  listeners: number
}

/** Collects garbage in a page of the only browser that this process has started, and reads what the page still uses. */
export const measurePageMemory = async (devTools: CDPSession): Promise<PageMemory> => {
  await devTools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devTools.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await devTools.send('Memory.getDOMCounters')
  const { renderers = [] } = findChildProcesses({ renderers: /--type=renderer/ })
  return {
    heapMB: usedSize / MB,
    processMB: residentBytes(renderers) / MB,
    nodes,
    listeners: jsEventListeners,
  }
}
