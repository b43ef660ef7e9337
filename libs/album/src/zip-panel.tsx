import { useEffect, useRef, useState } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { Button } from '@confetti/ui/button'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { Segmented } from '@confetti/ui/segmented'
import type { BatchProgress, Outcome } from './download-batches.ts'
import { DownloadControl } from './download-control.tsx'
import { formatCount, nameInZip } from './upload.ts'
import { listAllUploads, type ListPage } from './load-uploads.ts'
import { useText } from './texts.ts'
import { useZipDownload, type ZipDownload, type ZipDownloadOptions } from './use-zip-download.ts'
import styles from './zip-panel.module.css'

const batchSizes = [10, 50, 100] as const
export type BatchSize = (typeof batchSizes)[number]

interface SizeProps {
  value: BatchSize
  onChange: (size: BatchSize) => void
  disabled?: boolean
}

/** Selects how many files go into one zip. */
export const BatchSizes = ({ value, onChange, disabled = false }: SizeProps) => {
  const t = useText()
  return (
    <Segmented
      label={t('album.zips.batchSize')}
      options={batchSizes}
      value={value}
      onChange={onChange}
      disabled={disabled}
      getLabel={formatCount}
    />
  )
}

/** A progress bar for each batch that has started. */
const BatchProgressBars = ({ batches }: { batches: readonly BatchProgress[] }) => {
  const t = useText()
  const region = useRef<HTMLDivElement>(null)
  const { length } = batches
  useEffect(() => {
    if (region.current) region.current.scrollTop = region.current.scrollHeight
  }, [length])

  if (length === 0) return null
  return (
    <div
      ref={region}
      role="group"
      aria-label={t('album.zips.batches')}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable: needs keyboard focus
      tabIndex={0}
      className={styles.batches}
    >
      {batches.map(({ number, files, done }) => (
        <div key={number} className={styles.batch}>
          <b>{t('album.zips.batch', { number })}</b>
          <span>{t('album.zips.progress', { done, total: files })}</span>
          <ProgressBar label={t('album.zips.batch', { number })} value={(done / files) * 100} />
        </div>
      ))}
    </div>
  )
}

const MAX_LISTED_FILES = 20

const FailedFiles = ({ failed, ranOutOfMemory, onRetry }: Outcome & { onRetry: () => void }) => {
  const t = useText()
  if (failed.length === 0) return null
  const unlisted = failed.length - MAX_LISTED_FILES
  return (
    <section role="status" className={styles.failed}>
      <h2>{t('album.zips.failed', { count: failed.length })}</h2>
      {ranOutOfMemory && <p>{t('album.zips.outOfMemory')}</p>}
      <ul>
        {failed.slice(0, MAX_LISTED_FILES).map((upload) => (
          <li key={upload._id}>
            {t('album.zips.failedFile', { name: nameInZip(upload), guest: upload.photoCredit })}
          </li>
        ))}
        {unlisted > 0 && <li>{t('album.zips.moreFailed', { count: unlisted })}</li>}
      </ul>
      <Button variant="outline" size="small" icon={<RotateCw size={18} aria-hidden />} onClick={onRetry}>
        {t('album.zips.tryAgain')}
      </Button>
    </section>
  )
}

interface ControlProps {
  label: string
  /** The label during a download; `label` by default. */
  busyLabel?: string | undefined
  batchSize: BatchSize
  download: ZipDownload
}

/** Starts the download of all uploads as zips, and shows its batches and the files that failed. */
export const ZipControl = ({ label, busyLabel = label, batchSize, download }: ControlProps) => {
  const t = useText()
  return (
    <DownloadControl
      label={label}
      busyLabel={busyLabel}
      stopLabel={t('album.zips.stop')}
      variant="outline"
      size="small"
      isBusy={download.isBusy}
      onStart={() => download.start(batchSize)}
      onStop={download.stop}
      onClose={download.clear}
      progress={
        download.batches.length + download.failed.length > 0 && (
          <>
            <BatchProgressBars batches={download.batches} />
            <FailedFiles
              failed={download.failed}
              ranOutOfMemory={download.ranOutOfMemory}
              onRetry={() => download.retryFailed(batchSize)}
            />
          </>
        )
      }
    />
  )
}

interface PanelProps
  extends Omit<ZipDownloadOptions, 'listUploads'>, Pick<ControlProps, 'label' | 'busyLabel'> {
  listPage: ListPage
  defaultBatchSize: BatchSize
}

/** Downloads all uploads of an event as zips: batch size, start and stop, progress, and the files that failed. */
export const ZipPanel = ({ listPage, defaultBatchSize, label, busyLabel, ...options }: PanelProps) => {
  const [batchSize, setBatchSize] = useState<BatchSize>(defaultBatchSize)
  const listUploads = (signal: AbortSignal) => listAllUploads(listPage, signal)
  const download = useZipDownload({ ...options, listUploads })
  return (
    <div className={styles.tools}>
      <BatchSizes value={batchSize} onChange={setBatchSize} disabled={download.isBusy} />
      <ZipControl label={label} busyLabel={busyLabel} batchSize={batchSize} download={download} />
    </div>
  )
}
