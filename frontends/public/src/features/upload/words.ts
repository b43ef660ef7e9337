import type { Holdup } from './pace.ts'
import type { Progress } from './progress.ts'

/** '1 file', '3 files'. */
export const filesText = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`

export const outcomeText = ({ sent, failed, total }: Progress): string =>
  failed === 0 ? `${filesText(total)} arrived.` : `${sent} arrived, ${failed} did not.`

/** Why nothing moves, if nothing does. */
export const holdupText = (holdup: Holdup, online: boolean): string | undefined => {
  if (!online) return 'You are offline. Sending goes on by itself when the connection is back.'
  if (holdup === 'busy') return 'Many are sending at this moment. Yours goes on by itself.'
  if (holdup === 'lost') return 'The connection was lost. Sending goes on by itself.'
  return undefined
}

/** What is read out: it changes at each quarter and with each failure, not with each byte. */
export const spokenProgress = (progress: Progress): string => {
  const { busy, total, failed, percent } = progress
  if (!busy) return total === 0 ? '' : outcomeText(progress)
  const quarter = Math.floor(percent / 25) * 25
  const far = quarter === 0 ? `Sending ${filesText(total)}.` : `${quarter} % sent.`
  return failed === 0 ? far : `${far} ${filesText(failed)} did not arrive.`
}
