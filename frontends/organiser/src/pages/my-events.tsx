import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BatchSizes, type BatchSize } from '@confetti/album/zip-panel'
import type { Event } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { api } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { EmptyState } from '@confetti/ui/empty-state'
import { getFailureText } from '@confetti/ui/failure-text'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import { EventCard, type Phase } from '../features/events/event-card.tsx'
import styles from './my-events.module.css'
import { useText } from '../texts.ts'

type Days = Pick<Event, 'startDate' | 'endDate'>

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** The calendar day (yyyy-MM-dd) in the time zone of the browser. */
export const today = (now = new Date()): string =>
  `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`

/** Whether an event is going on on a `day`, is still to come, or is over. */
const getPhase = ({ startDate, endDate }: Days, day: string): Phase => {
  if (endDate < day) return 'past'
  return startDate <= day ? 'active' : 'upcoming'
}

const byStart = (one: Days, other: Days): number => one.startDate.localeCompare(other.startDate)
const latestFirst = (one: Days, other: Days): number => other.endDate.localeCompare(one.endDate)

/**
 * Sorts events for a `day`: active ones, then upcoming ones, both by start date, then past ones, the latest
 * first.
 */
export const sortEvents = <T extends Days>(events: readonly T[], day: string): readonly T[] => {
  const listOf = (phase: Phase): T[] => events.filter((event) => getPhase(event, day) === phase)
  return [
    ...listOf('active').sort(byStart),
    ...listOf('upcoming').sort(byStart),
    ...listOf('past').sort(latestFirst),
  ]
}

const REFETCH_INTERVAL_MS = 60_000
const queryKey = ['my-events']

/**
 * The organiser's events, refetched in the background every minute and when the tab becomes visible again.
 */
export const useMyEvents = () => {
  const client = useQueryClient()
  const { data, error } = useQuery<Event[] | null>({
    queryKey,
    queryFn: async ({ signal }) => {
      const { dataUpdateCount = 0, errorUpdateCount = 0 } = client.getQueryState(queryKey) ?? {}
      const quiet = dataUpdateCount + errorUpdateCount > 0
      return (await api().get('/api/myevents', { signal, quiet })).events
    },
    // With data from the start the query keeps its error while it refetches: the screen does not flicker.
    initialData: null,
    refetchInterval: REFETCH_INTERVAL_MS,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })
  return {
    /** Undefined until the first successful request. */
    events: data ?? undefined,
    error: data ? null : error,
    /** Fetches again, with the loading state. */
    retry: () => void client.resetQueries({ queryKey }),
  }
}

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
  const day = today()
  const errorMessage = error ? getFailureText(error) : undefined
  useErrorNotice(errorMessage)

  if (errorMessage !== undefined)
    return (
      <Page title={t('organiser.tab.myEvents')}>
        <LoadFailed title={t('organiser.events.failed')} text={errorMessage} onRetry={retry} />
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
      actions={<BatchSizes value={batchSize} onChange={setBatchSize} />}
    >
      <ul className={styles.grid} aria-busy={!events}>
        {events
          ? sortEvents(events, day).map((event) => (
              <EventCard key={event._id} event={event} phase={getPhase(event, day)} batchSize={batchSize} />
            ))
          : ['first', 'second'].map((key) => <EventCardSkeleton key={key} />)}
      </ul>
    </Page>
  )
}

/** The organiser's events. */
export const MyEvents = () => {
  const myEvents = useMyEvents()
  return (
    <KeepFocus>
      <EventGridContent {...myEvents} />
    </KeepFocus>
  )
}
