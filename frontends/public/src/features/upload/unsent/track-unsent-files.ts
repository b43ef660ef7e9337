import { getFileKey } from '@confetti/guest-storage/file-key'
import type { SelectedFile } from '../selected-file.ts'
import type { QueueState } from '../send-queue.ts'
import type { UnsentFiles } from './unsent-files.ts'

const isUnsent = ({ status, isRejected }: SelectedFile): boolean =>
  status === 'ready' || status === 'queued' || status === 'sending' || (status === 'failed' && !isRejected)

/**
 * Creates a listener of a queue that stores its files from the moment that they are chosen, and removes those that are
 * sent, refused or removed. A file is stored with the guest's name once it is to be sent.
 */
export const createUnsentFilesTracker = (
  eventId: string,
  { add, remove }: Pick<UnsentFiles, 'add' | 'remove'>,
) => {
  let tracked: ReadonlyMap<string, string | undefined> = new Map()

  return ({ files, closedError, credit }: QueueState): void => {
    const unsent = new Map<string, string | undefined>()
    for (const selected of closedError ? [] : files) {
      if (!isUnsent(selected)) continue
      const key = getFileKey(eventId, selected.file)
      const startedAs = selected.status === 'ready' ? undefined : credit
      unsent.set(key, startedAs)
      if (!tracked.has(key) || tracked.get(key) !== startedAs) add(key, selected.file, startedAs)
    }
    const removedKeys = [...tracked.keys()].filter((key) => !unsent.has(key))
    if (removedKeys.length > 0) remove(removedKeys)
    tracked = unsent
  }
}
