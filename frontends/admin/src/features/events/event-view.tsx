import { useCallback } from 'react'
import { ApiError } from '@confetti/api-client'
import { Link } from '@confetti/federation/router'
import { roleOf, useSession } from '@confetti/session'
import { Button, buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { EmptyState } from '@confetti/ui/empty-state'
import { notifyError } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import Images from 'lucide-react/icons/images'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { EventFacts } from './event-facts.tsx'
import styles from './event-view.module.css'
import { fetchEvent } from './events-api.ts'
import { QrCard } from './qr-card.tsx'
import { UnknownEvent } from '../../unknown-event.tsx'
import { useAnswer } from '../../use-answer.ts'

const FAILED = 'Failed to fetch event details.'
const say = (): void => notifyError(FAILED)

const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === 404

const Waiting = () => (
  <Page title="Event details" lead={<span role="status">Loading...</span>}>
    <div className={styles.columns}>
      <Card className={styles.about}>
        <Skeleton width="60%" height="24px" />
        <Skeleton height="72px" />
      </Card>
      <Card className={styles.codeToCome}>
        <Skeleton width="120px" height="26px" />
        <Skeleton width="min(264px, 100%)" height="264px" radius="14px" />
      </Card>
    </div>
  </Page>
)

/** One event, with what its guests need to find it. */
export const EventView = ({ eventId }: { eventId: string }) => {
  const ask = useCallback((signal: AbortSignal) => fetchEvent(eventId, signal), [eventId])
  const { retry, ...answer } = useAnswer(ask, say)
  const mayManage = useSession(({ user }) => user !== undefined && roleOf(user) === 'admin')

  if (answer.status === 'waiting') return <Waiting />
  if (answer.status === 'failed')
    return isUnknown(answer.error) ? (
      <UnknownEvent />
    ) : (
      <EmptyState as="h1" title={FAILED}>
        <p>The connection may be bad, or the server busy.</p>
        <Button icon={<RotateCw size={18} aria-hidden />} onClick={retry}>
          Retry
        </Button>
      </EmptyState>
    )

  const event = answer.value
  return (
    <Page
      title={event.name}
      actions={
        mayManage && (
          <Link to={`/admin/event-uploads/${event._id}`} className={buttonClass()}>
            <Images size={20} aria-hidden />
            View Event Uploads
          </Link>
        )
      }
    >
      <div className={styles.columns}>
        <EventFacts event={event} />
        <QrCard eventId={event._id} name={event.name} />
      </div>
    </Page>
  )
}
