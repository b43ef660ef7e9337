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
import { formatCount } from './format-size.ts'
import { useText } from './texts.ts'
import type { Downloads } from './use-downloads.tsx'

export const batchSizes = [10, 50, 100] as const
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

interface ButtonProps {
  label: string
  /** The label during a download; `label` by default. */
  busyLabel?: string
  batchSize: BatchSize
  downloads: Downloads
}

/** Starts the download of all uploads; during the download a second button stops it. */
export const DownloadAll = ({ label, busyLabel = label, batchSize, downloads }: ButtonProps) => {
  const t = useText()
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
          {t('album.zips.stop')}
        </Button>
      )}
    </div>
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
