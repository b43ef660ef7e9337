import { useSearchParams } from '@confetti/federation/router'
import { Page } from '@confetti/ui/page'
import { readFilter, writeFilter } from '../features/audit/audit-filter.ts'
import { AuditFilters } from '../features/audit/audit-filters.tsx'
import { AuditList } from '../features/audit/audit-list.tsx'

export const Audit = () => {
  const [query, setQuery] = useSearchParams()
  const filter = readFilter(query)
  return (
    <Page title="Audit log" lead="Who changed or deleted what, latest first.">
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
