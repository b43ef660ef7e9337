import { useEffect, useMemo, useState } from 'react'
import { getFileKey } from '@confetti/guest-storage/file-key'
import { Button } from '@confetti/ui/button'
import { useText } from '../../../texts.ts'
import type { FileLimits } from '../file-validation.ts'
import { loadUploadCode } from '../page-queues.ts'
import type { SelectedFile } from '../selected-files.ts'
import type { SendQueue } from '../send-queue.ts'
import { hasUnsentFiles } from '../upload-history.ts'
import styles from './unsent-notice.module.css'

interface Options {
  eventId: string
  queue: SendQueue
  files: readonly SelectedFile[]
  limits: FileLimits
}

interface UnsentFilesState {
  /** The files of earlier visits that wait in the list of the page. */
  waiting: readonly SelectedFile[]
  /** How many files the guest has to choose again. */
  missingCount: number
  discard: () => void
}

/** Returns the keys of the files that are sent, or that the guest sees as refused: they need not be kept. */
const listSettledKeys = (eventId: string, queue: SendQueue): string[] =>
  queue
    .getState()
    .files.filter(({ status, isRejected }) => status === 'sent' || status === 'invalid' || isRejected)
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
      const uploadCode = await loadUploadCode()
      const unsentFiles = uploadCode?.getUnsentFiles(eventId)
      while (unsentFiles && !signal.aborted) {
        const { restored, missingKeys: missing, otherTabIds } = await unsentFiles.claim()
        // The server decides: what an event still accepts may have changed since the guest chose them.
        queue.restore(restored, { ...limits, remainingBytes: undefined })
        queue.refuse(restored)
        const keys = new Set(restored.map(({ file }) => getFileKey(eventId, file)))
        unsentFiles.remove(listSettledKeys(eventId, queue).filter((key) => keys.has(key)))
        setRestoredKeys((previous) => new Set([...previous, ...keys]))
        setMissingKeys(missing)
        if (otherTabIds.length === 0) return
        await uploadCode?.untilTabCloses(otherTabIds, signal)
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
      void loadUploadCode().then((uploadCode) => uploadCode?.getUnsentFiles(eventId).remove(unselectedKeys))
    },
  }
}

interface Props {
  /** How many files of earlier visits wait in the list. */
  waitingCount: number
  /** How many the guest has to choose again. */
  missingCount: number
  onDiscard: () => void
}

/** Says how many files earlier visits of the page have left, and what to do about them. */
export const UnsentNotice = ({ waitingCount, missingCount, onDiscard }: Props) => {
  const t = useText()
  const count = waitingCount + missingCount
  if (count === 0) return null
  return (
    <section aria-label={t('upload.unsent.label')} className={styles.notice}>
      <p>
        <b>{t('upload.unsent.count', { count })}</b>
      </p>
      {missingCount > 0 && (
        <p>
          {waitingCount > 0
            ? t('upload.unsent.chooseSome', { count: missingCount })
            : t('upload.unsent.chooseAll')}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="outline" onClick={onDiscard}>
          {t('upload.unsent.discard')}
        </Button>
      </div>
    </section>
  )
}
