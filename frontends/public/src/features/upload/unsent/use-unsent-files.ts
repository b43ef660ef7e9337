import { useEffect, useMemo, useState } from 'react'
import { getFileKey } from '@confetti/guest-storage/file-key'
import type { FileLimits } from '../file-validation.ts'
import { loadUploadCode } from '../load-upload-code.ts'
import type { SelectedFile } from '../selected-file.ts'
import type { SendQueue } from '../send-queue.ts'
import { hasUnsentFiles } from './has-unsent-files.ts'

interface Options {
  eventId: string
  queue: SendQueue
  files: readonly SelectedFile[]
  limits: FileLimits | undefined
}

interface UnsentFilesState {
  /** The files of earlier visits that wait in the list of the page. */
  waiting: readonly SelectedFile[]
  /** How many files the guest has to choose again. */
  missingCount: number
  discard: () => void
}

/** Returns the keys of the files that the guest sees as refused, which the next visit need not show again. */
const listRefusedKeys = (eventId: string, queue: SendQueue): string[] =>
  queue
    .getState()
    .files.filter(({ status, isRejected }) => status === 'invalid' || isRejected)
    .map(({ file }) => getFileKey(eventId, file))

/**
 * Adds the files of an event that earlier visits have left to the queue, which continues with those whose sending had
 * begun. Files of another tab follow when that is closed.
 */
export const useUnsentFiles = ({ eventId, queue, files, limits }: Options): UnsentFilesState => {
  const [restoredKeys, setRestoredKeys] = useState<ReadonlySet<string>>(new Set())
  const [missingKeys, setMissingKeys] = useState<readonly string[]>([])

  useEffect(() => {
    if (!hasUnsentFiles()) return
    const controller = new AbortController()
    const { signal } = controller
    const restoreAll = async (): Promise<void> => {
      const sending = await loadUploadCode()
      const unsentFiles = sending?.getUnsentFiles(eventId)
      while (unsentFiles && !signal.aborted) {
        const { restored, missingKeys: missing, otherTabIds } = await unsentFiles.claim()
        // The server decides: what an event still accepts may have changed since the guest chose them.
        queue.restore(restored, limits && { ...limits, remainingBytes: undefined })
        const keys = new Set(restored.map(({ file }) => getFileKey(eventId, file)))
        unsentFiles.remove(listRefusedKeys(eventId, queue).filter((key) => keys.has(key)))
        setRestoredKeys((previous) => new Set([...previous, ...keys]))
        setMissingKeys(missing)
        if (otherTabIds.length === 0) return
        await sending?.untilTabCloses(otherTabIds, signal)
      }
    }
    // Rejects when the page is left.
    restoreAll().catch(() => undefined)
    return () => controller.abort()
  }, [eventId, queue, limits])

  const selectedByKey = useMemo(
    () =>
      new Map(
        restoredKeys.size + missingKeys.length > 0
          ? files.map((selected) => [getFileKey(eventId, selected.file), selected])
          : [],
      ),
    [eventId, restoredKeys, missingKeys, files],
  )
  const waiting = [...selectedByKey]
    .filter(([key, { status }]) => status === 'ready' && restoredKeys.has(key))
    .map(([, selected]) => selected)
  const unselectedKeys = missingKeys.filter((key) => !selectedByKey.has(key))

  return {
    waiting,
    missingCount: unselectedKeys.length,
    discard: () => {
      for (const { id } of waiting) queue.remove(id)
      setMissingKeys([])
      void loadUploadCode().then((sending) => sending?.getUnsentFiles(eventId).remove(unselectedKeys))
    },
  }
}
