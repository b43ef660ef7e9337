import type { ChosenFile } from './chosen-file.ts'

export interface Progress {
  /** Files that were sent off, whatever became of them. */
  total: number
  sent: number
  failed: number
  ready: number
  /** Whether any is still on its way. */
  busy: boolean
  /** 0 to 100, by bytes of those that can still arrive. */
  percent: number
}

/** How far all files together are. */
export const progressOf = (files: readonly ChosenFile[]): Progress => {
  const count = { unfit: 0, ready: 0, waiting: 0, sending: 0, sent: 0, failed: 0 }
  let bytes = 0
  let sentBytes = 0
  for (const { status, file, sentBytes: own } of files) {
    count[status] += 1
    if (status !== 'waiting' && status !== 'sending' && status !== 'sent') continue
    bytes += file.size
    sentBytes += own
  }
  const busy = count.waiting + count.sending > 0
  const percent = bytes === 0 ? 0 : (100 * sentBytes) / bytes
  return {
    total: count.waiting + count.sending + count.sent + count.failed,
    sent: count.sent,
    failed: count.failed,
    ready: count.ready,
    busy,
    // The last bytes have left, but not all answers are there.
    percent: busy ? Math.min(99, percent) : percent,
  }
}
