import { useSearchParams } from '@confetti/federation/router'
import { Page } from '@confetti/ui/page'
import { readFilter, writeFilter } from '../features/audit/audit-filter.ts'
import { AuditFilters } from '../features/audit/audit-filters.tsx'
import { AuditList } from '../features/audit/audit-list.tsx'
import { useText } from '../texts.ts'

export const Audit = () => {
  const t = useText()
  const [query, setQuery] = useSearchParams()
  const filter = readFilter(query)
  return (
    <Page title={t('admin.tab.auditLog')} lead={t('admin.audit.lead')}>
      <AuditList filter={filter}>
        {/* Back brings an earlier filter into the form. */}
        <AuditFilters
          key={query.toString()}
          filter={filter}
          onChange={(next) => setQuery(writeFilter(next))}
        />
      </AuditList>
    </Page>
  )
}
