import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@confetti/api-client'
import { Link } from '@confetti/federation/router'
import { getRole, useSession } from '@confetti/session'
import { Button, buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { EmptyState } from '@confetti/ui/empty-state'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import Images from 'lucide-react/icons/images'
import Pencil from 'lucide-react/icons/pencil'
import RotateCw from 'lucide-react/icons/rotate-cw'
import ScrollText from 'lucide-react/icons/scroll-text'
import Settings from 'lucide-react/icons/settings'
import { EventNotFound } from '../../event-not-found.tsx'
import { useText } from '../../texts.ts'
import { EventCopy } from './event-summary.tsx'
import styles from './event-view.module.css'
import { eventQuery } from './events-api.ts'
import { QrCard } from './qr-card.tsx'

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

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
      <EmptyState as="h1" title={t('admin.events.details.failed')}>
        <p>{t('admin.checkConnection')}</p>
        <Button icon={<RotateCw size={18} aria-hidden />} onClick={() => void refetch()}>
          {t('common.retry')}
        </Button>
      </EmptyState>
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
        <EventCopy event={event} />
        <QrCard eventId={event._id} name={event.name} />
      </div>
    </Page>
  )
}

/** One event with its QR code and upload link. */
export const EventView = ({ eventId }: { eventId: string }) => {
  const { data, error, refetch } = useEvent(eventId)
  return (
    <KeepFocus>
      <EventContent data={data} error={error} refetch={refetch} />
    </KeepFocus>
  )
}
