import type { Event } from '@confetti/contracts'
import { Link, useSearchParams } from '@confetti/federation/router'
import { useLocale } from '@confetti/i18n'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { formatDay } from '@confetti/ui/day'
import { EmptyState } from '@confetti/ui/empty-state'
import { TextField } from '@confetti/ui/field'
import { getFailureText } from '@confetti/ui/failure-text'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import { Tabs } from '@confetti/ui/tabs'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import UserRound from 'lucide-react/icons/user-round'
import { useId, useState } from 'react'
import { DateBadge } from '../features/events/date-badge.tsx'
import { eventsQuery, phases, type Phase } from '../features/events/events-api.ts'
import { FoundCount } from '../features/paged-list/paged-list.tsx'
import { useText } from '../texts.ts'
import styles from './events.module.css'

/** The first and the last day of an event. */
const EventDates = ({ event }: { event: Pick<Event, 'startDate' | 'endDate'> }) => {
  useLocale()
  return (
    <p className={styles.dates}>
      <time dateTime={event.startDate}>{formatDay(event.startDate)}</time> –{' '}
      <time dateTime={event.endDate}>{formatDay(event.endDate)}</time>
    </p>
  )
}

const EventCard = ({ event }: { event: Event }) => {
  const t = useText()
  const nameId = useId()
  return (
    <Card as="li" className={styles.card}>
      <div className={styles.top}>
        <DateBadge day={event.startDate} />
        <div className={styles.heading}>
          <h2 id={nameId} title={event.name}>
            <bdi>{event.name}</bdi>
          </h2>
          <EventDates event={event} />
        </div>
      </div>
      {event.description && (
        <p className={styles.description}>
          <bdi>{event.description}</bdi>
        </p>
      )}
      <div className={styles.foot}>
        <p className={styles.organiser}>
          <UserRound size={18} aria-hidden />
          <bdi>{event.eventFor.email || t('admin.events.noOrganiser')}</bdi>
        </p>
        <Link
          to={`/events/${event._id}`}
          aria-describedby={nameId}
          className={buttonClass({ variant: 'secondary', size: 'small', wide: true })}
        >
          {t('admin.events.viewDetails')}
        </Link>
      </div>
    </Card>
  )
}

/** A card in the loading state. */
const EventCardSkeleton = () => (
  <Card as="li" className={styles.card}>
    <div className={styles.top}>
      <Skeleton width="56px" height="64px" radius="10px" />
      <div className={styles.heading}>
        <Skeleton width="72%" height="24px" />
        <Skeleton width="88%" height="16px" />
      </div>
    </div>
    <Skeleton height="48px" />
    <div className={styles.foot}>
      <Skeleton width="60%" height="20px" />
      <Skeleton height="44px" radius="14px" />
    </div>
  </Card>
)

const emptyHints = {
  active: 'admin.events.empty.active',
  upcoming: 'admin.events.empty.upcoming',
  past: 'admin.events.empty.past',
} as const

/** Whether the name of an event, or the address of one of its organisers, has what is searched, in any case. */
const matches = ({ name, organisers }: Event, search: string): boolean =>
  [name, ...organisers.map(({ email }) => email)].some((text) =>
    text.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()),
  )

interface ContentProps extends Pick<UseQueryResult<Event[]>, 'error' | 'refetch'> {
  phase: Phase
  events: readonly Event[] | undefined
  /** Those that match the search. */
  found: readonly Event[] | undefined
}

const EventListContent = ({ phase, events, found, error, refetch }: ContentProps) => {
  const t = useText()
  const errorMessage = error ? getFailureText(error) : undefined
  useErrorNotice(errorMessage)

  if (errorMessage !== undefined)
    return <LoadFailed title={t('admin.events.failed')} text={errorMessage} onRetry={() => void refetch()} />
  if (events?.length === 0)
    return (
      <EmptyState title={t('admin.events.empty')}>
        <p>{t(emptyHints[phase])}</p>
        <Link to="/events/create" className={buttonClass({ variant: 'secondary' })}>
          {t('admin.events.empty.create')}
        </Link>
      </EmptyState>
    )
  if (found?.length === 0)
    return (
      <EmptyState title={t('admin.events.noMatch')}>
        <p>{t('admin.events.noMatch.hint')}</p>
      </EmptyState>
    )
  return (
    <ul className={styles.grid} aria-busy={!found}>
      {found
        ? found.map((event) => <EventCard key={event._id} event={event} />)
        : [1, 2, 3].map((key) => <EventCardSkeleton key={key} />)}
    </ul>
  )
}

/** The events of one phase, as cards. */
const EventList = ({ phase, search }: { phase: Phase; search: string }) => {
  const { data: events, error, refetch } = useQuery(eventsQuery(phase))
  const found = events?.filter((event) => matches(event, search))
  return (
    <KeepFocus>
      <FoundCount count={search.trim() ? found?.length : undefined} />
      <EventListContent phase={phase} events={events} found={found} error={error} refetch={refetch} />
    </KeepFocus>
  )
}

const phaseNames = {
  active: 'admin.events.active',
  upcoming: 'admin.events.upcoming',
  past: 'admin.events.past',
} as const

export const Events = () => {
  const t = useText()
  const [parameters, setParameters] = useSearchParams()
  const tab = parameters.get('tab')
  const [search, setSearch] = useState(parameters.get('search') ?? '')
  const change = (name: string, value: string, options?: { replace: boolean }): void =>
    setParameters((before) => {
      const after = new URLSearchParams(before)
      after.delete(name)
      if (value) after.set(name, value)
      return after
    }, options)
  return (
    <Page
      title={t('admin.tab.events')}
      actions={
        <Link to="/events/create" className={buttonClass()}>
          <CalendarPlus size={20} aria-hidden />
          {t('admin.events.new')}
        </Link>
      }
    >
      <div className={styles.search}>
        <TextField
          label={t('admin.events.search')}
          type="search"
          autoComplete="off"
          value={search}
          onChange={({ target }) => {
            setSearch(target.value)
            // So that it is still there after a look at an event, and without an entry in the history for each key.
            change('search', target.value, { replace: true })
          }}
        />
      </div>
      <Tabs
        label={t('admin.events.phases')}
        tabs={phases.map((phase) => ({
          value: phase,
          name: t(phaseNames[phase]),
          content: <EventList phase={phase} search={search} />,
        }))}
        value={phases.find((phase) => phase === tab) ?? 'active'}
        onChange={(phase) => change('tab', phase === 'active' ? '' : phase)}
      />
    </Page>
  )
}
