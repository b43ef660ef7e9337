import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@confetti/api-client'
import type { Event } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { EmptyState } from '@confetti/ui/empty-state'
import { getFailureText } from '@confetti/ui/failure-text'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { EventNotFound } from '../../event-not-found.tsx'
import { useText } from '../../texts.ts'
import { eventQuery } from './events-api.ts'

interface Props {
  eventId: string
  /** The heading while the event is loading. */
  title: string
  children: (event: Event) => ReactNode
}

const useEvent = (eventId: string) => useQuery(eventQuery(eventId))

type ContentProps = Omit<Props, 'eventId'> & Pick<ReturnType<typeof useEvent>, 'data' | 'error' | 'refetch'>

const Content = ({ data: event, error, refetch, title, children }: ContentProps) => {
  const t = useText()
  if (event && 'uploadUrl' in event) return children(event)
  if (event ?? (error instanceof ApiError && error.status === 404)) return <EventNotFound />
  if (error)
    return (
      <EmptyState as="h1" title={t('admin.events.loadFailed')}>
        <p>{getFailureText(error)}</p>
        <Button icon={<RotateCw size={18} aria-hidden />} onClick={() => void refetch()}>
          {t('common.retry')}
        </Button>
      </EmptyState>
    )
  return (
    <Page title={title} lead={<span role="status">{t('common.loading')}</span>}>
      <Card>
        <Skeleton height="320px" />
      </Card>
    </Page>
  )
}

/** Loads an event for a page that changes it, with the page's loading and error states. */
export const LoadedEvent = ({ eventId, ...page }: Props) => {
  const { data, error, refetch } = useEvent(eventId)
  return (
    <KeepFocus>
      <Content data={data} error={error} refetch={refetch} {...page} />
    </KeepFocus>
  )
}
