import { useEffect, useRef } from 'react'
import Download from 'lucide-react/icons/download'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { Button } from '@confetti/ui/button'
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

/** How many files go into one zip. */
export const BatchSizes = ({ value, onChange, disabled = false }: SizeProps) => (
  <Segmented label="Batch size" options={batchSizes} value={value} onChange={onChange} disabled={disabled} />
)

interface ButtonProps {
  label: string
  /** What it says while busy; the same where this is missing. */
  busyLabel?: string
  batchSize: BatchSize
  downloads: Downloads
}

/** Starts the download of everything; beside it, while it runs, the way to stop it. */
export const DownloadAll = ({ label, busyLabel = label, batchSize, downloads }: ButtonProps) => (
  <div className={styles.bar}>
    <Button
      icon={<Download size={20} aria-hidden />}
      disabled={downloads.busy}
      onClick={() => downloads.start(batchSize)}
    >
      {downloads.busy ? busyLabel : label}
    </Button>
    {downloads.busy && (
      <Button look="line" onClick={downloads.stop}>
        Stop
      </Button>
    )}
  </div>
)

/** How far each batch is that has begun. */
const BatchBars = ({ batches }: { batches: readonly BatchProgress[] }) => {
  const region = useRef<HTMLDivElement>(null)
  const { length } = batches
  useEffect(() => {
    if (region.current) region.current.scrollTop = region.current.scrollHeight
  }, [length])

  if (length === 0) return null
  return (
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

const NAMED = 20

const FailedFiles = ({ failed, tooMuch, onRetry }: Outcome & { onRetry: () => void }) => {
  if (failed.length === 0) return null
  const rest = failed.length - NAMED
  return (
    <section role="status" className={styles.failed}>
      <h2>{failed.length === 1 ? '1 file is not there yet' : `${failed.length} files are not there yet`}</h2>
      {tooMuch && <p>There was not enough memory for so many files at once. Choose a smaller batch size.</p>}
      <ul>
        {failed.slice(0, NAMED).map((upload) => (
          <li key={upload._id}>
            {nameInZip(upload)} (from {upload.photoCredit})
          </li>
        ))}
        {rest > 0 && <li>and {rest} more</li>}
      </ul>
      <Button look="line" size="small" icon={<RotateCw size={18} aria-hidden />} onClick={onRetry}>
        Try these again
      </Button>
    </section>
  )
}

/** What a download does and has done: its batches, and the files that could not be fetched. */
export const DownloadProgress = ({ downloads, batchSize }: Pick<ButtonProps, 'downloads' | 'batchSize'>) => (
  <>
    <BatchBars batches={downloads.batches} />
    <FailedFiles
      failed={downloads.failed}
      tooMuch={downloads.tooMuch}
      onRetry={() => downloads.startFailed(batchSize)}
    />
  </>
)
