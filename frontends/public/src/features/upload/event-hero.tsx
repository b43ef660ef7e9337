import { useState } from 'react'
import type { GuestEvent } from '@confetti/contracts'
import { Scraps } from '@confetti/ui/scraps'
import { Skeleton } from '@confetti/ui/skeleton'
import { eventDays } from './event-days.ts'
import hidden from '@confetti/ui/hidden.module.css'
import styles from './event-hero.module.css'

const LONG_CHARACTERS = 240
const LONG_LINES = 4

const Description = ({ text }: { text: string }) => {
  const long = text.length > LONG_CHARACTERS || text.split('\n').length > LONG_LINES
  const [open, setOpen] = useState(false)
  return (
    <>
      <p className={`${styles.description} ${long && !open ? styles.short : ''}`}>{text}</p>
      {long && (
        <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  )
}

/** What the guests are here for. */
export const EventHero = ({ event }: { event: GuestEvent }) => (
  <header className={styles.hero}>
    <Scraps className={styles.scraps} />
    <p className={styles.days}>{eventDays(event.startDate, event.endDate)}</p>
    <h1 className={styles.name}>{event.name}</h1>
    {event.description && <Description text={event.description} />}
  </header>
)

/** The place of the above, until it is there. */
export const HeroSkeleton = () => (
  <div className={styles.hero}>
    <Scraps className={styles.scraps} />
    <div className={styles.days}>
      <Skeleton width="140px" height="1.5em" />
    </div>
    <h1 className={styles.name}>
      <span className={hidden.heard}>Loading...</span>
      <Skeleton width="min(300px, 80%)" height="1.15em" />
    </h1>
    <div className={styles.description}>
      <Skeleton width="min(420px, 100%)" height="1.5em" />
    </div>
  </div>
)
