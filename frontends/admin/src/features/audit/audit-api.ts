import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AuditEntry } from '@confetti/contracts'
import { api } from '@confetti/session'
import { toApiQuery, type AuditFilter } from './audit-filter.ts'

const EXPORT_PAGE_SIZE = 1_000
/** The most entries of an export. */
export const MAX_EXPORTED = 10_000

/** The audit log, latest first, page by page. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam: after, signal }) =>
      api().get('/api/admin/audit', {
        query: { ...toApiQuery(filter), after },
        signal,
        quiet: after !== undefined,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** The latest `MAX_EXPORTED` entries that match a filter, and whether there are more. */
export const fetchForExport = async (
  filter: AuditFilter,
): Promise<{ entries: AuditEntry[]; hasMore: boolean }> => {
  const entries: AuditEntry[] = []
  let after: string | undefined
  do {
    const page = await api().get('/api/admin/audit', {
      query: { ...toApiQuery(filter), limit: EXPORT_PAGE_SIZE, after },
    })
    entries.push(...page.entries)
    after = page.nextCursor
  } while (after !== undefined && entries.length < MAX_EXPORTED)
  return { entries, hasMore: after !== undefined }
}
