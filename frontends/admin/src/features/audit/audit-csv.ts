import type { AuditEntry } from '@confetti/contracts'
import { actorOf, detailLines, labelOf, toValueText } from './audit-text.ts'

const columns = [
  'time',
  'action',
  'actor',
  'actor id',
  'subject',
  'subject id',
  'event id',
  'address',
  'details',
]

// Spreadsheets run cells that begin with one of these as formulas; an apostrophe makes them text.
const startsFormula = /^[=+\-@\t\r]/

const cell = (text: string): string =>
  `"${(startsFormula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** The entries as CSV (RFC 4180) with a header line and a byte order mark, by which spreadsheets know that it is UTF-8. */
export const toCsv = (entries: readonly AuditEntry[]): string => {
  const rows = entries.map((entry) => [
    entry.at,
    labelOf(entry.action),
    actorOf(entry),
    entry.actor._id,
    entry.subject.type,
    entry.subject.id,
    entry.eventId ?? '',
    entry.address,
    detailLines(entry, toValueText).join('\n'),
  ])
  return `\uFEFF${[columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
