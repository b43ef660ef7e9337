import type { ReactNode } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isNotFound } from '@confetti/api-client'
import type { Event } from '@confetti/contracts'
import { useSession } from '@confetti/session'
import { Card } from '@confetti/ui/card'
import { getFailureText } from '@confetti/ui/failure-text'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import {
  createEventCalls,
  changeStoredEvent,
  eventQuery,
  useMailSetting,
  type Manager,
} from './event-calls.ts'
import { EventSettings } from './settings/event-settings.tsx'
import { useText } from './texts.ts'

interface Props {
  eventId: string
  /** Whether it is loaded without the loading overlay. */
  isQuiet?: boolean
  /** The heading while the event is loading. */
  title: string
  failureTitle: string
  notFound: ReactNode
  children: (event: Event) => ReactNode
}

const useManagedEvent = ({ eventId, isQuiet = false }: Pick<Props, 'eventId' | 'isQuiet'>) =>
  useQuery(eventQuery(eventId, { quiet: isQuiet }))

type ContentProps = Omit<Props, 'eventId' | 'isQuiet'> &
  Pick<ReturnType<typeof useManagedEvent>, 'data' | 'error' | 'refetch'>

const Content = ({ data: event, error, refetch, title, failureTitle, notFound, children }: ContentProps) => {
  const t = useText()
  if (event && 'uploadUrl' in event) return children(event)
  // Everyone else gets the guests' view of the event.
  if (event ?? isNotFound(error)) return notFound
  if (error)
    return (
      <LoadFailed as="h1" title={failureTitle} text={getFailureText(error)} onRetry={() => void refetch()} />
    )
  return (
    <Page title={title} lead={<span role="status">{t('common.loading')}</span>}>
      <Card>
        <Skeleton height="480px" />
      </Card>
    </Page>
  )
}

/** Loads an event for a page that changes it, with the page's loading and error states. */
export const ManagedEvent = ({ eventId, isQuiet, ...page }: Props) => {
  // Here, because `KeepFocus` looks for the lost focus when it is rendered.
  const { data, error, refetch } = useManagedEvent({ eventId, isQuiet })
  return (
    <KeepFocus>
      <Content data={data} error={error} refetch={refetch} {...page} />
    </KeepFocus>
  )
}

interface SettingsProps {
  event: Event
  manager: Manager
  title: string
  /** Called when the user is no longer an organiser of the event. */
  onLeft: () => void
}

/** The page with the settings of an event that has been loaded. */
export const EventSettingsPage = ({ event, manager, title, onLeft }: SettingsProps) => {
  const client = useQueryClient()
  const mail = useMailSetting()
  const userId = useSession((session) => session.user?._id)
  return (
    <Page title={title} lead={<bdi>{event.name}</bdi>}>
      {userId !== undefined && (
        <EventSettings
          key={userId}
          event={event}
          calls={createEventCalls(event._id, manager)}
          user={{ _id: userId, isAdmin: manager === 'admin' }}
          mail={mail}
          onChanged={(change) => changeStoredEvent(client, event, change)}
          onLeft={onLeft}
        />
      )}
    </Page>
  )
}
