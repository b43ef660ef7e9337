import { useEffect, useState } from 'react'
import type { GuestEvent } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { useLocale } from '@confetti/i18n'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { formatEventDays, formatLastDayBefore } from '@confetti/ui/event-days'
import { Skeleton } from '@confetti/ui/skeleton'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import styles from './event-hero.module.css'
import { GalleryNotes } from './gallery-notes.tsx'
import { fetchCover, getGalleryPath, isGalleryOpen } from './use-event.ts'

/** The cover of an event. Its space is reserved from the start, and stays if there is no picture to show in it. */
const EventCover = ({ eventId }: { eventId: string }) => {
  const [url, setUrl] = useState<string>()

  useEffect(() => {
    const controller = new AbortController()
    fetchCover(eventId, controller.signal).then(
      (cover) => setUrl(cover.url),
      // Guests can upload without it.
      () => undefined,
    )
    return () => controller.abort()
  }, [eventId])

  return (
    <div className={styles.cover}>
      {url && (
        <img src={url} alt="" decoding="async" className={styles.picture} onError={() => setUrl(undefined)} />
      )}
    </div>
  )
}

// A longer description is collapsed.
const MAX_CHARACTERS = 240
const MAX_LINES = 4

const Description = ({ text }: { text: string }) => {
  const isLong = text.length > MAX_CHARACTERS || text.split('\n').length > MAX_LINES
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <p className={`${styles.description} ${isLong && !isOpen ? styles.collapsed : ''}`}>
        <bdi>{text}</bdi>
      </p>
      {isLong && (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t(isOpen ? 'common.showLess' : 'common.showMore')}
        </button>
      )}
    </>
  )
}

/** The event's cover, days, name, welcome text, description, how long it is kept, and its gallery. */
export const EventHero = ({ event }: { event: GuestEvent }) => {
  const t = useText()
  const locale = useLocale()
  return (
    <header className={styles.hero}>
      {event.cover && <EventCover eventId={event._id} />}
      <ConfettiDecoration className={styles.decoration} />
      <p className={styles.days}>{formatEventDays(event.startDate, event.endDate, locale)}</p>
      <h1 className={styles.name}>
        <bdi>{event.name}</bdi>
      </h1>
      {event.welcome && (
        <p className={styles.welcome}>
          <bdi>{event.welcome}</bdi>
        </p>
      )}
      {event.description && <Description text={event.description} />}
      {event.deleteAt && (
        <p className={styles.note}>
          {t('event.keptUntil', { date: formatLastDayBefore(event.deleteAt, event.timeZone, locale) })}
        </p>
      )}
      <GalleryNotes event={event} className={styles.note} />
      {isGalleryOpen(event) && (
        <Link to={getGalleryPath(event._id)} className={styles.gallery}>
          {t('event.gallery')}
        </Link>
      )}
    </header>
  )
}

export const EventHeroSkeleton = () => {
  const t = useText()
  return (
    <div className={styles.hero}>
      <ConfettiDecoration className={styles.decoration} />
      <div className={styles.days}>
        <Skeleton width="140px" height="1.5em" />
      </div>
      <h1 className={styles.name}>
        <span className={hidden.visuallyHidden}>{t('common.loading')}</span>
        <Skeleton width="min(300px, 80%)" height="1.15em" />
      </h1>
      <div className={styles.description}>
        <Skeleton width="min(420px, 100%)" height="1.5em" />
      </div>
    </div>
  )
}
