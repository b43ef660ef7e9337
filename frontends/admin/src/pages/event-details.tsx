import { eventQuery } from '@confetti/album/event-calls'
import { isNotFound } from '@confetti/api-client'
import type { Event, GuestEvent } from '@confetti/contracts'
import { Link, useParams } from '@confetti/federation/router'
import { getRole, useSession } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { formatDay } from '@confetti/ui/day'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import { useQuery } from '@tanstack/react-query'
import Images from 'lucide-react/icons/images'
import Pencil from 'lucide-react/icons/pencil'
import ScrollText from 'lucide-react/icons/scroll-text'
import Settings from 'lucide-react/icons/settings'
import { DateBadge } from '../features/events/date-badge.tsx'
import { EventNotFound } from '../features/events/loaded-event.tsx'
import { QrCard } from '../features/events/qr-card.tsx'
import { useText } from '../texts.ts'
import styles from './event-details.module.css'

interface Props {
  event: GuestEvent & Partial<Pick<Event, 'organisers' | 'deleteAt'>>
}

/** The dates, description, organiser and upload status of an event. */
const EventSummary = ({ event }: Props) => {
  const t = useText()
  const { organisers = [] } = event
  return (
    <Card className={styles.summary}>
      <div className={styles.dates}>
        <DateBadge day={event.startDate} />
        <dl>
          <div>
            <dt>{t('admin.events.details.starts')}</dt>
            <dd>
              <time dateTime={event.startDate}>{formatDay(event.startDate)}</time>
            </dd>
          </div>
          <div>
            <dt>{t('admin.events.details.ends')}</dt>
            <dd>
              <time dateTime={event.endDate}>{formatDay(event.endDate)}</time>
            </dd>
          </div>
        </dl>
      </div>
      {event.description && (
        <p className={styles.description}>
          <bdi>{event.description}</bdi>
        </p>
      )}
      <dl className={styles.more}>
        {organisers.length > 0 && (
          <div>
            <dt>{t('admin.events.details.organisers', { count: organisers.length })}</dt>
            <dd>
              <bdi>{organisers.map(({ email }) => email).join(', ')}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{t('admin.events.details.uploads')}</dt>
          <dd>{event.uploadsOpen ? t('admin.events.details.open') : t('admin.events.details.closed')}</dd>
        </div>
        {event.deleteAt && (
          <div>
            <dt>{t('admin.events.details.deletedOn')}</dt>
            <dd>{formatDay(event.deleteAt.slice(0, 10))}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}

const useEvent = (eventId: string) => useQuery(eventQuery(eventId))

const EventSkeleton = () => {
  const t = useText()
  return (
    <Page title={t('admin.tab.event')} lead={<span role="status">{t('common.loading')}</span>}>
      <div className={styles.columns}>
        <Card className={styles.summarySkeleton}>
          <Skeleton width="60%" height="24px" />
          <Skeleton height="72px" />
        </Card>
        <Card className={styles.qrCodeSkeleton}>
          <Skeleton width="120px" height="26px" />
          <Skeleton width="min(264px, 100%)" height="264px" radius="14px" />
        </Card>
      </div>
    </Page>
  )
}

type ContentProps = Pick<ReturnType<typeof useEvent>, 'data' | 'error' | 'refetch'>

const EventContent = ({ data: event, error, refetch }: ContentProps) => {
  const t = useText()
  const isAdmin = useSession(({ user }) => user !== undefined && getRole(user) === 'admin')
  useErrorNotice(error ? t('admin.events.details.failed') : undefined)

  if (isNotFound(error)) return <EventNotFound />
  if (error)
    return (
      <LoadFailed
        as="h1"
        title={t('admin.events.details.failed')}
        text={t('admin.checkConnection')}
        onRetry={() => void refetch()}
      />
    )
  if (!event) return <EventSkeleton />

  return (
    <Page
      title={<bdi>{event.name}</bdi>}
      actions={
        isAdmin && (
          <div className={styles.actions}>
            <Link to={`/events/${event._id}/edit`} className={buttonClass({ variant: 'outline' })}>
              <Pencil size={20} aria-hidden />
              {t('admin.events.details.edit')}
            </Link>
            <Link to={`/events/${event._id}/settings`} className={buttonClass({ variant: 'outline' })}>
              <Settings size={20} aria-hidden />
              {t('admin.tab.settings')}
            </Link>
            <Link to={`/admin/audit?eventId=${event._id}`} className={buttonClass({ variant: 'outline' })}>
              <ScrollText size={20} aria-hidden />
              {t('admin.tab.auditLog')}
            </Link>
            <Link to={`/admin/event-uploads/${event._id}`} className={buttonClass()}>
              <Images size={20} aria-hidden />
              {t('admin.events.details.viewUploads')}
            </Link>
          </div>
        )
      }
    >
      <div className={styles.columns}>
        <EventSummary event={event} />
        <QrCard event={event} />
      </div>
    </Page>
  )
}

/** One event with its QR code and upload link. */
const EventView = ({ eventId }: { eventId: string }) => {
  const { data, error, refetch } = useEvent(eventId)
  return (
    <KeepFocus>
      <EventContent data={data} error={error} refetch={refetch} />
    </KeepFocus>
  )
}

export const EventDetails = () => {
  const { eventId = '' } = useParams()
  return <EventView key={eventId} eventId={eventId} />
}
