import { useQuery, useQueryClient } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { EventSettings as SettingsForm } from '@confetti/album/settings/event-settings'
import { ApiError } from '@confetti/api-client'
import { Link, useNavigate, useParams } from '@confetti/federation/router'
import { useSession } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { EmptyState } from '@confetti/ui/empty-state'
import { getFailureText } from '@confetti/ui/failure-text'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import { useText } from '../texts.ts'
import { EventNotFound } from '../features/events/event-not-found.tsx'
import styles from './event-photos.module.css'
import { createSettingsCalls, eventQuery, mailQuery } from '../features/events/events-api.ts'

const useEvent = (eventId: string) => useQuery(eventQuery(eventId))

interface ContentProps extends Pick<ReturnType<typeof useEvent>, 'data' | 'error' | 'refetch'> {
  eventId: string
}

const SettingsContent = ({ eventId, data: event, error, refetch }: ContentProps) => {
  const t = useText()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: mail } = useQuery(mailQuery)
  const userId = useSession((session) => session.user?._id)

  // Everyone else gets the guests' view of the event.
  if (event ? !('uploadUrl' in event) : error instanceof ApiError && error.status === 404)
    return <EventNotFound />
  if (event && 'uploadUrl' in event)
    return (
      <Page title={t('organiser.tab.settings')} lead={<bdi>{event.name}</bdi>}>
        {userId !== undefined && (
          <SettingsForm
            key={userId}
            event={event}
            calls={createSettingsCalls(eventId)}
            user={{ _id: userId, isAdmin: false }}
            mail={mail}
            onChanged={(changed) =>
              client.setQueryData(eventQuery(eventId).queryKey, { ...changed, event: changed })
            }
            onLeft={() => void navigate('/myevents')}
          />
        )}
      </Page>
    )
  if (error)
    return (
      <EmptyState as="h1" title={t('organiser.settings.failed')}>
        <p>{getFailureText(error)}</p>
        <Button icon={<RotateCw size={20} aria-hidden />} onClick={() => void refetch()}>
          {t('common.retry')}
        </Button>
      </EmptyState>
    )
  return (
    <Page title={t('organiser.tab.settings')} lead={<span role="status">{t('common.loading')}</span>}>
      <Card>
        <Skeleton height="480px" />
      </Card>
    </Page>
  )
}

/** The settings of one of the organiser's own events. */
const SettingsOf = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const { data, error, refetch } = useEvent(eventId)
  return (
    <>
      <Link to={`/myevents/${eventId}`} className={styles.back}>
        <ArrowLeft size={20} aria-hidden />
        {t('organiser.tab.photos')}
      </Link>
      <KeepFocus>
        <SettingsContent eventId={eventId} data={data} error={error} refetch={refetch} />
      </KeepFocus>
    </>
  )
}

export const EventSettings = () => {
  const { eventId = '' } = useParams()
  return <SettingsOf key={eventId} eventId={eventId} />
}
