import { useState } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { DOWNLOAD_HINT } from '@confetti/album/archive-download'
import { BatchSizes, type BatchSize } from '@confetti/album/downloads'
import { getErrorMessage } from '@confetti/api-client'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { EmptyState } from '@confetti/ui/empty-state'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import { EventCard } from './event-card.tsx'
import styles from './event-grid.module.css'
import { sortEvents, today } from './event-order.ts'
import { useMyEvents } from './use-my-events.ts'

const EventCardSkeleton = () => (
  <Card as="li" className={styles.skeleton}>
    <Skeleton width="70%" height="26px" />
    <Skeleton width="45%" height="18px" />
    <Skeleton height="72px" radius="10px" />
    <Skeleton width="220px" height="48px" radius="14px" />
  </Card>
)

const EventGridContent = ({ events, error, retry }: ReturnType<typeof useMyEvents>) => {
  const [batchSize, setBatchSize] = useState<BatchSize>(100)
  const errorMessage = error ? getErrorMessage(error) : undefined
  useErrorNotice(errorMessage)

  if (errorMessage !== undefined)
    return (
      <Page title="My Events">
        <EmptyState title="Couldn't load your events.">
          <p>{errorMessage}</p>
          <Button icon={<RotateCw size={20} aria-hidden />} onClick={retry}>
            Retry
          </Button>
        </EmptyState>
      </Page>
    )
  if (events?.length === 0)
    return (
      <Page title="My Events">
        <EmptyState title="No events found.">
          <p>An admin creates events. Ask for yours, with its name and dates.</p>
          <Link to="/contact-admin" className={buttonClass()}>
            Contact Admin
          </Link>
        </EmptyState>
      </Page>
    )
  return (
    <Page
      title="My Events"
      lead={DOWNLOAD_HINT}
      actions={<BatchSizes value={batchSize} onChange={setBatchSize} />}
    >
      <ul className={styles.grid} aria-busy={!events}>
        {events
          ? sortEvents(events, today()).map((event) => (
              <EventCard key={event._id} event={event} batchSize={batchSize} />
            ))
          : ['first', 'second'].map((key) => <EventCardSkeleton key={key} />)}
      </ul>
    </Page>
  )
}

/** The organiser's events. */
export const EventGrid = () => {
  const myEvents = useMyEvents()
  return (
    <KeepFocus>
      <EventGridContent {...myEvents} />
    </KeepFocus>
  )
}
