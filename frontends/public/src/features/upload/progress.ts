import type { SelectedFile } from './selected-file.ts'

export interface Progress {
  /** The number of files that the guest has started to send, whatever their outcome. */
  total: number
  sent: number
  failed: number
  ready: number
  /** Whether any file is queued or being sent. */
  busy: boolean
  /** 0 to 100, by the bytes of all files that have not failed. */
  percent: number
}

/** Returns the progress of all files together. */
export const getProgress = (files: readonly SelectedFile[]): Progress => {
  const count = { invalid: 0, ready: 0, queued: 0, sending: 0, sent: 0, failed: 0 }
  let totalBytes = 0
  let totalSentBytes = 0
  for (const { status, file, sentBytes } of files) {
    count[status] += 1
    if (status !== 'queued' && status !== 'sending' && status !== 'sent') continue
    totalBytes += file.size
    totalSentBytes += sentBytes
  }
  const busy = count.queued + count.sending > 0
  const percent = totalBytes === 0 ? 0 : (100 * totalSentBytes) / totalBytes
  return {
    total: count.queued + count.sending + count.sent + count.failed,
    sent: count.sent,
    failed: count.failed,
    ready: count.ready,
    busy,
    // Not 100 before the last response has arrived.
    percent: busy ? Math.min(99, percent) : percent,
  }
}
