import { useState } from 'react'
import type { ToastContent } from '@confetti/ui/notify'
import styles from './download-panel.module.css'
import { BatchSizes, DownloadAll, DownloadProgress, type BatchSize } from './downloads.tsx'
import { listAllUploads, type ListPage } from './list-pages.ts'
import { useDownloads } from './use-downloads.tsx'

interface Props {
  eventId: string
  listPage: ListPage
  defaultBatchSize: BatchSize
  label: string
  busyLabel?: string
  /** Shown if there is nothing to download. */
  emptyMessage: string
  /** Shown after all files have been saved. */
  doneNotice: ToastContent
}

/**
 * Downloads all uploads of an event as zips: batch size, start and stop, progress, and the files that failed.
 */
export const DownloadPanel = ({
  eventId,
  listPage,
  defaultBatchSize,
  label,
  busyLabel,
  emptyMessage,
  doneNotice,
}: Props) => {
  const [batchSize, setBatchSize] = useState<BatchSize>(defaultBatchSize)
  const listUploads = (signal: AbortSignal) => listAllUploads(listPage, { signal, quiet: true })
  const downloads = useDownloads({ eventId, listUploads, emptyMessage, doneNotice })
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        <BatchSizes value={batchSize} onChange={setBatchSize} disabled={downloads.isBusy} />
        <DownloadAll label={label} busyLabel={busyLabel} batchSize={batchSize} downloads={downloads} />
      </div>
      <DownloadProgress downloads={downloads} batchSize={batchSize} />
    </div>
  )
}
