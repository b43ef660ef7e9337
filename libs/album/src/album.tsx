import { useRef, type ComponentProps, type ReactNode } from 'react'
import type { Upload, UploadTotal } from '@confetti/contracts'
import { EmptyState } from '@confetti/ui/empty-state'
import { getFailureText } from '@confetti/ui/failure-text'
import { LoadFailed } from '@confetti/ui/load-failed'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import { Skeleton } from '@confetti/ui/skeleton'
import styles from './album.module.css'
import { albumTotal, formatSize } from './upload.ts'
import { PhotoGrid } from './photo-grid.tsx'
import { getCardSize } from './grid-layout.ts'
import { getText, useText } from './texts.ts'
import type { Uploads } from './use-uploads.ts'
import { useWidth } from './virtual-grid.tsx'

export { albumTotal, formatSize }

/** How many files there are and from how many guests, such as '3 files from 2 guests'. */
export const formatTotal = ({ files, guests }: Pick<UploadTotal, 'files' | 'guests'>): string =>
  files === 0 ? getText('album.noFiles') : getText('album.total', { files, guests })

/** The same for a list of all uploads. */
export const albumSize = (uploads: readonly Upload[]): string =>
  formatTotal({ files: uploads.length, guests: new Set(uploads.map(({ photoCredit }) => photoCredit)).size })

/** How many uploads wait for approval. */
export const countPending = (uploads: readonly Upload[]): number =>
  uploads.filter(({ visibility }) => visibility === 'pending').length

const SKELETON_CARDS = 8

/** Skeleton cards in the layout of the photo grid, so that nothing moves when the uploads appear. */
const AlbumSkeleton = () => {
  const t = useText()
  const container = useRef<HTMLDivElement>(null)
  const { columns, cardHeight, gap } = getCardSize(useWidth(container))
  return (
    <div
      ref={container}
      className={styles.skeleton}
      style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, gap }}
    >
      <p role="status" className={styles.loading}>
        {t('album.loading')}
      </p>
      {Array.from({ length: SKELETON_CARDS }, (_, index) => (
        <Skeleton key={index} height={`${cardHeight}px`} radius="14px" />
      ))}
    </div>
  )
}

const AlbumError = ({ message, onRetry }: { message: string; onRetry: () => void }) => {
  const t = useText()
  useErrorNotice(message)
  return <LoadFailed title={t('album.loadFailed')} text={message} onRetry={onRetry} />
}

interface Props extends Pick<
  ComponentProps<typeof PhotoGrid>,
  'createArchive' | 'onDelete' | 'deletingIds' | 'onVisibility' | 'renameGuest' | 'hasCardButtons'
> {
  uploads: Uploads
  /** What to do next when the event has no uploads. */
  emptyHint: ReactNode
}

const AlbumContent = ({ uploads, emptyHint, ...rest }: Props) => {
  const t = useText()
  if (uploads.status === 'pending') return <AlbumSkeleton />
  if (uploads.status === 'error')
    return <AlbumError message={getFailureText(uploads.error)} onRetry={uploads.retry} />
  if (uploads.uploads.length === 0) return <EmptyState title={t('album.empty')}>{emptyHint}</EmptyState>
  const { uploads: list, isComplete, arrivedIds, refresh, renewLinks, reload } = uploads
  return <PhotoGrid {...{ uploads: list, isComplete, arrivedIds, refresh, renewLinks, reload }} {...rest} />
}

/** The uploads of an event as a photo grid, with its loading, error and empty states. */
export const Album = (props: Props) => (
  <KeepFocus>
    <AlbumContent {...props} />
  </KeepFocus>
)
