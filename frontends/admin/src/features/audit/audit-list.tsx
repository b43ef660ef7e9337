import type { ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { EmptyState } from '@confetti/ui/empty-state'
import { useText } from '../../texts.ts'
import { PagedList } from '../paged-list/paged-list.tsx'
import { auditQuery } from './audit-api.ts'
import { AuditCard, AuditSkeleton } from './audit-card.tsx'
import { writeFilter, type AuditFilter } from './audit-filter.ts'

const NoEntries = () => {
  const t = useText()
  return (
    <EmptyState title={t('admin.audit.empty.title')}>
      <p>{t('admin.audit.empty.text')}</p>
    </EmptyState>
  )
}

export const AuditList = ({ filter, children }: { filter: AuditFilter; children: ReactNode }) => {
  const t = useText()
  return (
    <PagedList
      label={t('admin.audit.list')}
      failureNotice={t('admin.audit.failureNotice')}
      failureTitle={t('admin.audit.failureTitle')}
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
}
