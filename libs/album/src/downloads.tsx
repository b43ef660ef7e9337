import { useEffect, useRef } from 'react'
import Download from 'lucide-react/icons/download'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { Button } from '@confetti/ui/button'
import { KeepFocus, useKeepFocus } from '@confetti/ui/keep-focus'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { Segmented } from '@confetti/ui/segmented'
import type { BatchProgress, Outcome } from './download-batches.ts'
import styles from './downloads.module.css'
import { nameInZip } from './file-names.ts'
import type { Downloads } from './use-downloads.tsx'

export const batchSizes = [10, 50, 100] as const
export type BatchSize = (typeof batchSizes)[number]

interface SizeProps {
  value: BatchSize
  onChange: (size: BatchSize) => void
  disabled?: boolean
}

/** Selects how many files go into one zip. */
export const BatchSizes = ({ value, onChange, disabled = false }: SizeProps) => (
  <Segmented label="Batch size" options={batchSizes} value={value} onChange={onChange} disabled={disabled} />
)

interface ButtonProps {
  label: string
  /** The label during a download; `label` by default. */
  busyLabel?: string
  batchSize: BatchSize
  downloads: Downloads
}

/** Starts the download of all uploads; during the download a second button stops it. */
export const DownloadAll = ({ label, busyLabel = label, batchSize, downloads }: ButtonProps) => {
  const { target, within } = useKeepFocus<HTMLButtonElement>()
  return (
    <div className={styles.bar} {...within}>
      <Button
        ref={target}
        variant="secondary"
        icon={<Download size={20} aria-hidden />}
        aria-disabled={downloads.isBusy}
        onClick={() => {
          if (!downloads.isBusy) downloads.start(batchSize)
        }}
      >
        {downloads.isBusy ? busyLabel : label}
      </Button>
      {downloads.isBusy && (
        <Button variant="outline" onClick={downloads.stop}>
          Stop
        </Button>
      )}
    </div>
  )
}

/** A progress bar for each batch that has started. */
const BatchProgressBars = ({ batches }: { batches: readonly BatchProgress[] }) => {
  const region = useRef<HTMLDivElement>(null)
  const { length } = batches
  useEffect(() => {
    if (region.current) region.current.scrollTop = region.current.scrollHeight
  }, [length])

  if (length === 0) return null
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable: needs keyboard focus
    <div ref={region} role="group" aria-label="Batches" tabIndex={0} className={styles.batches}>
      {batches.map(({ number, files, done }) => (
        <div key={number} className={styles.batch}>
          <b>Batch {number}</b>
          <span>
            {done} of {files}
          </span>
          <ProgressBar label={`Batch ${number}`} value={(done / files) * 100} />
        </div>
      ))}
    </div>
  )
}

const MAX_LISTED_FILES = 20

const FailedFiles = ({ failed, ranOutOfMemory, onRetry }: Outcome & { onRetry: () => void }) => {
  if (failed.length === 0) return null
  const unlisted = failed.length - MAX_LISTED_FILES
  return (
    <section role="status" className={styles.failed}>
      <h2>
        {failed.length === 1
          ? '1 file could not be downloaded'
          : `${failed.length} files could not be downloaded`}
      </h2>
      {ranOutOfMemory && (
        <p>There was not enough memory for so many files at once. Choose a smaller batch size.</p>
      )}
      <ul>
        {failed.slice(0, MAX_LISTED_FILES).map((upload) => (
          <li key={upload._id}>
            {nameInZip(upload)} (from {upload.photoCredit})
          </li>
        ))}
        {unlisted > 0 && <li>and {unlisted} more</li>}
      </ul>
      <Button variant="outline" size="small" icon={<RotateCw size={18} aria-hidden />} onClick={onRetry}>
        Try again
      </Button>
    </section>
  )
}

/** The progress of a download: its batches, and the files that failed. */
export const DownloadProgress = ({ downloads, batchSize }: Pick<ButtonProps, 'downloads' | 'batchSize'>) => (
  <KeepFocus className={styles.progress}>
    <BatchProgressBars batches={downloads.batches} />
    <FailedFiles
      failed={downloads.failed}
      ranOutOfMemory={downloads.ranOutOfMemory}
      onRetry={() => downloads.retryFailed(batchSize)}
    />
  </KeepFocus>
)
