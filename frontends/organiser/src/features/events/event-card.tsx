import { useEffect, useRef, useState, type RefObject } from 'react'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import { useQuery } from '@tanstack/react-query'
import Maximize2 from 'lucide-react/icons/maximize-2'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Settings from 'lucide-react/icons/settings'
import X from 'lucide-react/icons/x'
import { QRCodeSVG } from 'qrcode.react'
import { ArchiveDownload } from '@confetti/album/archive-download'
import { createEventCalls, qrCodeQuery } from '@confetti/album/event-calls'
import { QrActions } from '@confetti/album/qr-actions'
import { QuotaWarning } from '@confetti/album/settings/quota-usage'
import { useLatestUploads } from '@confetti/album/use-polled-query'
import { listAllUploads } from '@confetti/album/use-uploads'
import { useZipDownload } from '@confetti/album/use-zip-download'
import { ZipControl, type BatchSize } from '@confetti/album/zip-panel'
import type { Event } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass, IconButton } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { formatDay } from '@confetti/ui/day'
import { getFailureText } from '@confetti/ui/failure-text'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { Toaster } from '@confetti/ui/toaster'
import { useText, type TextId } from '../../texts.ts'
import styles from './event-card.module.css'
import { LatestPhotos, MAX_PHOTOS } from './latest-photos.tsx'

const MAX_CHARACTERS = 200
const MAX_LINES = 4

/** The description of an event. A long one is shortened, with a button to show all of it. */
const Description = ({ text }: { text: string }) => {
  const t = useText()
  const [isExpanded, setIsExpanded] = useState(false)
  const isLong = text.length > MAX_CHARACTERS || text.split('\n').length > MAX_LINES
  return (
    <div>
      <p dir="auto" className={`${styles.text} ${isLong && !isExpanded ? styles.shortened : ''}`}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded((before) => !before)}
        >
          {t(isExpanded ? 'common.showLess' : 'common.showMore')}
        </button>
      )}
    </div>
  )
}

/** Whether an element is in the viewport or within 200 px of it. */
const useInView = (element: RefObject<Element | null>): boolean => {
  const [inView, setInView] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: '200px' },
    )
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return inView
}

const SIZE = 100

/**
 * The event's upload link as a QR code, with a dialog that enlarges it to be scanned from a distance, and shares and prints
 * it.
 */
export const QrCode = ({ event: { _id, name, uploadUrl, shortCode, shortUrl } }: { event: Event }) => {
  const t = useText()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const {
    data: image,
    error,
    isFetching,
    refetch,
  } = useQuery({ ...qrCodeQuery(_id, { quiet: true }), enabled: isOpen })
  const { target, within } = useKeepFocus<HTMLHeadingElement>()
  const close = (): void => dialog.current?.close()
  return (
    <div className={styles.qrCode}>
      <div className={styles.frame}>
        <QRCodeSVG value={uploadUrl} size={SIZE} level="L" title={t('organiser.qr.code', { name })} />
      </div>
      <Button
        variant="outline"
        size="small"
        icon={<Maximize2 size={16} aria-hidden />}
        aria-label={t('organiser.qr.enlargeOf', { name })}
        onClick={() => {
          setIsOpen(true)
          dialog.current?.showModal()
        }}
      >
        {t('organiser.qr.enlarge')}
      </Button>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events,
          jsx-a11y/no-noninteractive-element-interactions -- the browser closes a modal dialog on Escape */}
      <dialog
        ref={dialog}
        className={styles.large}
        aria-label={t('organiser.qr.dialog', { name })}
        onClose={() => setIsOpen(false)}
        onClick={({ target, currentTarget }) => {
          // A click on the backdrop.
          if (target === currentTarget) close()
        }}
      >
        <div className={styles.sheet} {...within}>
          <IconButton variant="ghost" label={t('common.close')} className={styles.close} onClick={close}>
            <X aria-hidden />
          </IconButton>
          <h2 ref={target} tabIndex={-1}>
            <bdi>{name}</bdi>
          </h2>
          <p>{t('organiser.qr.scan')}</p>
          <QRCodeSVG value={uploadUrl} size={SIZE} level="L" aria-hidden className={styles.big} />
          <p dir="ltr" className={styles.link}>
            {uploadUrl}
          </p>
          {isOpen && (
            <QrActions
              name={name}
              link={uploadUrl}
              image={image?.qrCodeDataUrl}
              shortCode={shortCode}
              shortLink={shortUrl}
            />
          )}
          <div role="alert" className={styles.failure}>
            {error && (
              <>
                <p>{t('organiser.qr.failed', { reason: getFailureText(error) })}</p>
                <Button
                  variant="outline"
                  size="small"
                  icon={<RotateCw size={16} aria-hidden />}
                  aria-disabled={isFetching}
                  onClick={() => void refetch()}
                >
                  {t('common.retry')}
                </Button>
              </>
            )}
          </div>
        </div>
        {/* The notices of the page are behind a modal dialog. */}
        {isOpen && <Toaster />}
      </dialog>
    </div>
  )
}

export type Phase = 'active' | 'upcoming' | 'past'

const phaseNames = {
  active: 'organiser.event.active',
  upcoming: 'organiser.event.upcoming',
  past: 'organiser.event.past',
} as const satisfies Record<Phase, TextId>

interface Props {
  event: Event
  phase: Phase
  batchSize: BatchSize
}

/** One event of the organiser: its phase, upload link, QR code, latest photos and downloads. */
export const EventCard = ({ event, phase, batchSize }: Props) => {
  const t = useText()
  const photos = useRef<HTMLDivElement>(null)
  const { listPage, createArchive } = createEventCalls(event._id, 'organiser')
  const latest = useLatestUploads(event._id, { listPage, count: MAX_PHOTOS, enabled: useInView(photos) })
  const waitingCount = latest.total?.waiting ?? 0
  const download = useZipDownload({
    eventId: event._id,
    listUploads: (signal) => listAllUploads(listPage, signal),
    emptyMessage: t('organiser.downloads.empty'),
    doneNotice: { title: t('organiser.downloads.done') },
  })
  return (
    <Card as="li" className={styles.card}>
      <h2 className={styles.name}>
        <a href={event.uploadUrl} target="_blank" rel="noreferrer">
          <bdi>{event.name}</bdi>
        </a>
      </h2>
      <div className={styles.details}>
        <p className={styles.badges}>
          <span className={`${styles.badge} ${phase === 'active' ? styles.active : ''}`}>
            {t(phaseNames[phase])}
          </span>
          {event.settings.gallery === 'on' && (
            <span className={styles.badge}>{t('organiser.event.galleryOn')}</span>
          )}
        </p>
        <p className={styles.days}>
          {t('organiser.event.days', { first: formatDay(event.startDate), last: formatDay(event.endDate) })}
        </p>
        {event.description && <Description text={event.description} />}
      </div>
      <div className={styles.code}>
        <QrCode event={event} />
      </div>
      <div ref={photos} className={styles.photos}>
        <LatestPhotos event={event} latest={latest} />
        <QuotaWarning event={event} total={latest.total} />
        <div className={styles.actions}>
          {waitingCount > 0 && (
            <Link
              to={`/myevents/${event._id}/review`}
              aria-label={t('organiser.event.reviewOf', { count: waitingCount, name: event.name })}
              className={buttonClass({ size: 'small' })}
            >
              <ClipboardCheck size={18} aria-hidden />
              {t('organiser.photos.review', { count: waitingCount })}
            </Link>
          )}
          <ArchiveDownload createArchive={createArchive} total={latest.total} />
          <ZipControl
            label={t('organiser.downloads.all')}
            busyLabel={t('organiser.downloads.busy')}
            batchSize={batchSize}
            download={download}
          />
          <Link
            to={`/myevents/${event._id}/settings`}
            aria-label={t('organiser.event.settingsOf', { name: event.name })}
            className={buttonClass({ variant: 'outline', size: 'small' })}
          >
            <Settings size={18} aria-hidden />
            {t('organiser.tab.settings')}
          </Link>
        </div>
      </div>
    </Card>
  )
}
