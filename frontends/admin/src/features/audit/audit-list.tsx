import type { ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { EmptyState } from '@confetti/ui/empty-state'
import { PagedList } from '../paged-list/paged-list.tsx'
import { auditQuery } from './audit-api.ts'
import { AuditCard, AuditSkeleton } from './audit-card.tsx'
import { writeFilter, type AuditFilter } from './audit-filter.ts'

const NoEntries = () => (
  <EmptyState title="No entries found.">
    <p>Nobody has changed or deleted anything that matches.</p>
  </EmptyState>
)

export const AuditList = ({ filter, children }: { filter: AuditFilter; children: ReactNode }) => (
  <PagedList
    label="Entries"
    things="the audit log"
    query={useInfiniteQuery(auditQuery(filter))}
    itemsOf={({ entries }) => entries}
    listKey={JSON.stringify(writeFilter(filter))}
    skeleton={<AuditSkeleton />}
    empty={<NoEntries />}
    renderItem={(entry, headingRef) => <AuditCard entry={entry} headingRef={headingRef} />}
  >
    {children}
  </PagedList>
)
