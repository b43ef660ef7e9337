import { useState } from 'react'
import type { Notice } from '@confetti/ui/notify'
import styles from './download-panel.module.css'
import { BatchSizes, DownloadAll, DownloadProgress, type BatchSize } from './downloads.tsx'
import { listAll, type ListPage } from './list-pages.ts'
import { useDownloads } from './use-downloads.tsx'

interface Props {
  eventId: string
  listPage: ListPage
  /** The size of batches unless another is chosen. */
  batchSize: BatchSize
  label: string
  busyLabel?: string
  /** What is said when there is nothing to download. */
  none: string
  /** What is said when all is there. */
  done: Notice
}

/** Everything of one event as zips: of what size, how far, and what is missing. */
export const DownloadPanel = ({ eventId, listPage, batchSize, label, busyLabel, none, done }: Props) => {
  const [size, setSize] = useState<BatchSize>(batchSize)
  const list = (signal: AbortSignal) => listAll(listPage, { signal, quiet: true })
  const downloads = useDownloads({ eventId, list, none, done })
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        <BatchSizes value={size} onChange={setSize} disabled={downloads.busy} />
        <DownloadAll label={label} busyLabel={busyLabel} batchSize={size} downloads={downloads} />
      </div>
      <DownloadProgress downloads={downloads} batchSize={size} />
    </div>
  )
}
