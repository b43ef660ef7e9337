import { useRef } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import * as Dialog from '@radix-ui/react-dialog'
import X from 'lucide-react/icons/x'
import type { Upload } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { Skeleton } from '@confetti/ui/skeleton'
import { isVideo } from '../file-names.ts'
import type { ListPage } from '../list-pages.ts'
import { useText } from '../texts.ts'
import styles from './cover-picker.module.css'

const PHOTOS_PER_PAGE = 60
const SKELETONS = 8

/** Guests do not see a cover that is hidden or waits for approval. Uploads of version 0.1 have no visibility: all are visible. */
const isPhoto = ({ visibility = 'visible', ...upload }: Upload): boolean =>
  upload.status === 'ready' &&
  visibility === 'visible' &&
  !isVideo(upload) &&
  upload.thumbnailUrl !== undefined

/** The photos of an event that can be its cover, newest first. */
const usePhotos = (eventId: string, listPage: ListPage) => {
  const query = useInfiniteQuery({
    queryKey: ['cover-photos', eventId],
    queryFn: ({ pageParam, signal }) =>
      listPage(
        { limit: PHOTOS_PER_PAGE, ...(pageParam !== undefined && { after: pageParam }) },
        { signal, quiet: true },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return { ...query, photos: query.data?.pages.flatMap(({ uploads }) => uploads.filter(isPhoto)) ?? [] }
}

interface Props {
  eventId: string
  /** The id of the photo that is the cover now. */
  value: string
  listPage: ListPage
  onSelect: (upload: Upload) => void
  onClose: () => void
}

/** A dialog with the photos of an event, of which one is chosen. */
export const CoverPicker = ({ eventId, value, listPage, onSelect, onClose }: Props) => {
  const t = useText()
  const { photos, isPending, error, hasNextPage, isFetching, fetchNextPage, refetch } = usePhotos(
    eventId,
    listPage,
  )
  const opener = useRef<Element>(null)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content
          className={styles.dialog}
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
          }}
        >
          <header className={styles.top}>
            <Dialog.Title className={styles.title}>{t('album.settings.cover.choose')}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton variant="ghost" label={t('common.close')}>
                <X aria-hidden />
              </IconButton>
            </Dialog.Close>
          </header>
          {error && (
            <div className={styles.note} role="alert">
              {t('album.settings.cover.failed', { reason: getFailureText(error) })}
              <Button variant="secondary" size="small" onClick={() => void refetch()}>
                {t('common.retry')}
              </Button>
            </div>
          )}
          {!isPending && !error && photos.length === 0 && (
            <p className={styles.note}>
              {hasNextPage ? t('album.settings.cover.noneAmongNewest') : t('album.settings.cover.none')}
            </p>
          )}
          <ul className={styles.grid} aria-busy={isPending} aria-label={t('album.settings.cover.photos')}>
            {isPending &&
              Array.from({ length: SKELETONS }, (_, index) => (
                <li key={index}>
                  <Skeleton height="100%" radius="10px" />
                </li>
              ))}
            {photos.map((photo) => (
              <li key={photo._id}>
                <button
                  type="button"
                  className={styles.photo}
                  aria-pressed={photo._id === value}
                  onClick={() => onSelect(photo)}
                >
                  <img
                    src={photo.thumbnailUrl}
                    alt={t('album.settings.cover.photo', {
                      file: photo.originalName,
                      credit: photo.photoCredit,
                    })}
                    loading="lazy"
                    decoding="async"
                  />
                </button>
              </li>
            ))}
          </ul>
          {hasNextPage && (
            <Button
              variant="secondary"
              wide
              aria-disabled={isFetching}
              onClick={() => {
                if (!isFetching) void fetchNextPage()
              }}
            >
              {t(isFetching ? 'common.loading' : 'common.showMore')}
            </Button>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
