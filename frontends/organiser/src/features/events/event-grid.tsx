import { useState } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { DownloadHint } from '@confetti/album/archive-download'
import { BatchSizes, type BatchSize } from '@confetti/album/zip-panel'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { EmptyState } from '@confetti/ui/empty-state'
import { getFailureText } from '@confetti/ui/failure-text'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import { useText } from '../../texts.ts'
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
  const t = useText()
  const [batchSize, setBatchSize] = useState<BatchSize>(100)
  const errorMessage = error ? getFailureText(error) : undefined
  useErrorNotice(errorMessage)

  if (errorMessage !== undefined)
    return (
      <Page title={t('organiser.tab.myEvents')}>
        <EmptyState title={t('organiser.events.failed')}>
          <p>{errorMessage}</p>
          <Button icon={<RotateCw size={20} aria-hidden />} onClick={retry}>
            {t('common.retry')}
          </Button>
        </EmptyState>
      </Page>
    )
  if (events?.length === 0)
    return (
      <Page title={t('organiser.tab.myEvents')}>
        <EmptyState title={t('organiser.events.empty.title')}>
          <p>{t('organiser.events.empty.text')}</p>
          <Link to="/contact-admin" className={buttonClass()}>
            {t('organiser.tab.contactAdmin')}
          </Link>
        </EmptyState>
      </Page>
    )
  return (
    <Page
      title={t('organiser.tab.myEvents')}
      lead={<DownloadHint />}
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
