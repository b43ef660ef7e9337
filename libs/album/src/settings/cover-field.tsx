import { useId, useRef, useState } from 'react'
import * as Dialog from '@radix-ui/react-dialog'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import ImageIcon from 'lucide-react/icons/image'
import X from 'lucide-react/icons/x'
import type { Event, Upload } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { Skeleton } from '@confetti/ui/skeleton'
import type { ListPage } from '../load-uploads.ts'
import { useText } from '../texts.ts'
import { isVideo } from '../upload.ts'
import styles from './cover-field.module.css'

type GetCover = (signal: AbortSignal) => Promise<{ url: string }>

/** The links to the pictures of covers: that of the event, and of those that were chosen since. */
export const useCover = ({ _id, cover: savedCover }: Event, getCover: GetCover) => {
  const [chosenUrls, setChosenUrls] = useState<Readonly<Record<string, string>>>({})
  const { data: saved } = useQuery({
    queryKey: ['cover', _id, savedCover],
    queryFn: ({ signal }) => getCover(signal),
    enabled: savedCover !== undefined,
  })
  return {
    /** Undefined if there is none, or if it is not known (yet). */
    findUrl: (cover: string): string | undefined =>
      chosenUrls[cover] ?? (cover && cover === savedCover ? saved?.url : undefined),
    addUrl: ({ _id: id, previewUrl, thumbnailUrl }: Upload): void => {
      const url = previewUrl ?? thumbnailUrl
      if (url) setChosenUrls((before) => ({ ...before, [id]: url }))
    },
  }
}
export type Cover = ReturnType<typeof useCover>

const PHOTOS_PER_PAGE = 60
const SKELETONS = 8

/** Guests do not see a cover that is hidden or waits for approval. */
const isPhoto = (upload: Upload): boolean =>
  upload.status === 'ready' &&
  upload.visibility === 'visible' &&
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

interface PickerProps {
  eventId: string
  /** The id of the photo that is the cover now. */
  value: string
  listPage: ListPage
  onSelect: (upload: Upload) => void
  onClose: () => void
}

/** A dialog with the photos of an event, of which one is chosen. */
const CoverPicker = ({ eventId, value, listPage, onSelect, onClose }: PickerProps) => {
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

interface Props {
  eventId: string
  /** The id of the chosen photo; empty if there is none. */
  value: string
  /** The picture of the chosen photo, if it is known. */
  url: string | undefined
  error: string | undefined
  listPage: ListPage
  onChange: (upload: Upload | undefined) => void
}

/** Chooses one of the event's photos as the picture above the guest page. */
export const CoverField = ({ eventId, value, url, error, listPage, onChange }: Props) => {
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div className={styles.field} role="group" aria-labelledby={id}>
      <p id={id} className={styles.label}>
        {t('album.settings.cover')}
      </p>
      <div className={styles.row}>
        <span className={styles.frame}>
          {value && url ? (
            <img src={url} alt={t('album.settings.cover.chosen')} />
          ) : (
            <ImageIcon size={28} aria-hidden />
          )}
        </span>
        <div className={styles.actions}>
          <Button
            variant="secondary"
            size="small"
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-note`}
            onClick={() => setIsOpen(true)}
          >
            {value ? t('album.settings.cover.change') : t('album.settings.cover.choose')}
          </Button>
          <Button
            variant="outline"
            size="small"
            aria-disabled={!value}
            onClick={() => {
              if (value) onChange(undefined)
            }}
          >
            {t('album.settings.cover.remove')}
          </Button>
        </div>
      </div>
      <p id={`${id}-note`} className={error ? styles.error : styles.hint}>
        {error ?? t('album.settings.cover.hint')}
      </p>
      {isOpen && (
        <CoverPicker
          eventId={eventId}
          value={value}
          listPage={listPage}
          onSelect={(upload) => {
            onChange(upload)
            setIsOpen(false)
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}
