import type { AuditEntry, Event } from '@confetti/contracts'
import { Link, useSearchParams } from '@confetti/federation/router'
import { getFormatLocale } from '@confetti/i18n'
import { Card } from '@confetti/ui/card'
import { EmptyState } from '@confetti/ui/empty-state'
import { Page } from '@confetti/ui/page'
import { Skeleton } from '@confetti/ui/skeleton'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode, type Ref } from 'react'
import { auditQuery, readFilter, writeFilter, type AuditFilter } from '../features/audit/audit-filter.ts'
import { AuditFilters } from '../features/audit/audit-filters.tsx'
import { actorOf, detailLines, labelOf } from '../features/audit/audit-text.ts'
import { useAllEvents } from '../features/events/events-api.ts'
import { PagedList } from '../features/paged-list/paged-list.tsx'
import { useText, type TextId } from '../texts.ts'
import styles from './audit.module.css'

type Texts = Readonly<Partial<Record<string, TextId>>>
const subjectTexts: Texts = { user: 'admin.audit.user', contact: 'admin.audit.contact' }
const subjectOfEventTexts: Texts = { user: 'admin.audit.userOfEvent', upload: 'admin.audit.uploadOfEvent' }

interface SubjectProps {
  entry: AuditEntry
  /** The name of the event that it concerns, if that is known. */
  eventName: string | undefined
}

/** The event or other thing that an entry concerns. A deleted event has no page. */
const AuditSubject = ({ entry: { action, subject, eventId }, eventName }: SubjectProps) => {
  const t = useText()
  if (eventId === undefined) return t(subjectTexts[subject.type] ?? 'admin.audit.other', subject)
  return (
    <>
      {subject.id === eventId
        ? t('admin.audit.event')
        : t(subjectOfEventTexts[subject.type] ?? 'admin.audit.otherOfEvent', subject)}{' '}
      {action === 'event.deleted' ? (
        eventId
      ) : (
        <Link to={`/events/${eventId}`}>
          <bdi>{eventName ?? eventId}</bdi>
        </Link>
      )}
    </>
  )
}

/** One entry: what happened, who did it from where, and to what. */
const AuditCard = ({
  entry,
  eventName,
  headingRef,
}: SubjectProps & { headingRef: Ref<HTMLHeadingElement> | undefined }) => {
  const t = useText()
  const { action, at, address } = entry
  const actor = actorOf(entry)
  const details = detailLines(entry)
  return (
    <Card as="li" className={styles.card}>
      <div className={styles.top}>
        <h2 ref={headingRef} tabIndex={-1}>
          {labelOf(action)}
        </h2>
        <time dateTime={at}>{new Date(at).toLocaleString(getFormatLocale())}</time>
      </div>
      <p className={styles.actor}>
        {address ? t('admin.audit.actorAt', { actor, address }) : t('admin.audit.actor', { actor })}
      </p>
      <p className={styles.subject}>
        <AuditSubject entry={entry} eventName={eventName} />
      </p>
      {details.length > 0 && (
        <ul className={styles.details}>
          {details.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** An entry in the loading state. */
const AuditSkeleton = () => (
  <Card className={styles.card}>
    <div className={styles.top}>
      <Skeleton width="min(12em, 60%)" height="22px" />
      <Skeleton width="9em" height="16px" />
    </div>
    <Skeleton width="min(20em, 80%)" height="16px" />
    <Skeleton width="15em" height="16px" />
  </Card>
)

const NoEntries = () => {
  const t = useText()
  return (
    <EmptyState title={t('admin.audit.empty.title')}>
      <p>{t('admin.audit.empty.text')}</p>
    </EmptyState>
  )
}

interface ListProps {
  filter: AuditFilter
  events: readonly Event[]
  children: ReactNode
}

const AuditList = ({ filter, events, children }: ListProps) => {
  const t = useText()
  const names = useMemo(() => new Map(events.map(({ _id, name }) => [_id, name])), [events])
  return (
    <PagedList
      label={t('admin.audit.list')}
      failureNotice={t('admin.audit.failureNotice')}
      failureTitle={t('admin.audit.failureTitle')}
      query={useInfiniteQuery(auditQuery(filter))}
      itemsOf={({ entries }) => entries}
      listKey={JSON.stringify(writeFilter(filter))}
      isSearch={Object.keys(writeFilter(filter)).length > 0}
      skeleton={<AuditSkeleton />}
      empty={<NoEntries />}
      renderItem={(entry, headingRef) => (
        <AuditCard entry={entry} eventName={names.get(entry.eventId ?? '')} headingRef={headingRef} />
      )}
    >
      {children}
    </PagedList>
  )
}

export const Audit = () => {
  const t = useText()
  const [query, setQuery] = useSearchParams()
  const filter = readFilter(query)
  const events = useAllEvents()
  return (
    <Page title={t('admin.tab.auditLog')} lead={t('admin.audit.lead')}>
      <AuditList filter={filter} events={events}>
        {/* Back brings an earlier filter into the form. */}
        <AuditFilters
          key={query.toString()}
          filter={filter}
          events={events}
          onChange={(next) => setQuery(writeFilter(next))}
        />
      </AuditList>
    </Page>
  )
}
