import { getFileKey } from '../file-key.ts'
import type { SelectedFile } from '../selected-file.ts'
import type { QueueState } from '../send-queue.ts'
import type { UnsentFiles } from './unsent-files.ts'

/**
 * Creates a listener of a queue that stores its files from the moment that they are to be sent, and removes those that
 * are sent, refused or cancelled.
 */
export const createUnsentFilesTracker = (
  eventId: string,
  { add, remove }: Pick<UnsentFiles, 'add' | 'remove'>,
) => {
  let trackedKeys: ReadonlySet<string> = new Set()

  const isUnsent = ({ status, isRejected }: SelectedFile, key: string): boolean =>
    status === 'queued' ||
    status === 'sending' ||
    (status === 'failed' && !isRejected) ||
    // A failed file that was chosen again.
    (status === 'ready' && trackedKeys.has(key))

  return ({ files, closedMessage, credit }: QueueState): void => {
    const unsent = new Map<string, File>()
    for (const selected of closedMessage === undefined ? files : []) {
      const key = getFileKey(eventId, selected.file)
      if (isUnsent(selected, key)) unsent.set(key, selected.file)
    }
    const removedKeys = [...trackedKeys].filter((key) => !unsent.has(key))
    if (removedKeys.length > 0) remove(removedKeys)
    for (const [key, file] of unsent) if (!trackedKeys.has(key)) add(key, file, credit)
    trackedKeys = new Set(unsent.keys())
  }
}
