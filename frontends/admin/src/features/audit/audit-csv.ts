import type { AuditEntry } from '@confetti/contracts'
import { getText, type TextId } from '../../texts.ts'
import { actorOf, detailLines, labelOf, toValueText } from './audit-text.ts'

const columns: readonly TextId[] = [
  'admin.audit.csv.time',
  'admin.audit.csv.action',
  'admin.audit.csv.actor',
  'admin.audit.csv.actorId',
  'admin.audit.csv.subject',
  'admin.audit.csv.subjectId',
  'admin.audit.csv.eventId',
  'admin.audit.csv.address',
  'admin.audit.csv.details',
]

// Spreadsheets run cells that begin with one of these as formulas; an apostrophe makes them text.
const startsFormula = /^[=+\-@\t\r]/

const cell = (text: string): string =>
  `"${(startsFormula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** The entries as CSV (RFC 4180) with a header line and a byte order mark, by which spreadsheets know that it is UTF-8. */
export const toCsv = (entries: readonly AuditEntry[]): string => {
  const header = columns.map((column) => getText(column))
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
  return `\uFEFF${[header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
