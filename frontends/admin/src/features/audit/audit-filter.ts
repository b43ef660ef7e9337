import { auditActions, type AuditAction, type AuditEntry } from '@confetti/contracts'
import { api } from '@confetti/session'
import { infiniteQueryOptions } from '@tanstack/react-query'

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

/** What the audit log is restricted to, as the fields of the form; empty: not restricted. */
export interface AuditFilter {
  /** An email address or an account id. */
  actor: string
  eventId: string
  action: AuditAction | ''
  /** Days (yyyy-MM-dd) in the time zone of the browser, both included. */
  from: string
  to: string
}

const fields = ['actor', 'eventId', 'action', 'from', 'to'] as const satisfies (keyof AuditFilter)[]

const isAction = (text: string): text is AuditAction => auditActions.some((action) => action === text)
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** The filter in the query of the page's address. What makes no sense there is left out. */
export const readFilter = (query: URLSearchParams): AuditFilter => {
  const [actor = '', eventId = '', action = '', from = '', to = ''] = fields.map(
    (field) => query.get(field)?.trim() ?? '',
  )
  return {
    actor: actor.toLowerCase(),
    eventId,
    action: isAction(action) ? action : '',
    from: isDay(from) ? from : '',
    to: isDay(to) ? to : '',
  }
}

/** The query of the page's address for a filter. */
export const writeFilter = (filter: AuditFilter): Record<string, string> =>
  Object.fromEntries(fields.flatMap((field) => (filter[field] ? [[field, filter[field]] as const] : [])))

const startOfDay = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** The query of the API for a filter: days become the times at which they begin and end in the browser's time zone. */
export const toApiQuery = ({ actor, eventId, action, from, to }: AuditFilter) => ({
  actor: actor || undefined,
  eventId: eventId || undefined,
  action: action || undefined,
  from: from ? startOfDay(from) : undefined,
  to: to ? startOfDay(to, 1) : undefined,
})
