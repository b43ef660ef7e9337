import type { AuditEntry } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { notify, notifyError } from '@confetti/ui/notify'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { getText, useText, type TextId } from '../../texts.ts'
import { fetchForExport, MAX_EXPORTED, type AuditFilter } from './audit-filter.ts'
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

const save = (text: string, name: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Saves the entries that match a filter as a CSV file. */
export const ExportButton = ({ filter }: { filter: AuditFilter }) => {
  const t = useText()
  const [isBusy, setIsBusy] = useState(false)

  const exportEntries = async (): Promise<void> => {
    if (isBusy) return
    setIsBusy(true)
    try {
      const { entries, hasMore } = await fetchForExport(filter)
      save(toCsv(entries), `audit-${new Date().toISOString().slice(0, 10)}.csv`)
      if (hasMore)
        notify({
          title: getText('admin.audit.export.limited', { count: MAX_EXPORTED }),
          message: getText('admin.audit.export.limitedHint'),
        })
    } catch {
      notifyError(getText('admin.audit.export.failed'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Button
      variant="secondary"
      icon={<Download size={18} aria-hidden />}
      aria-disabled={isBusy}
      onClick={() => void exportEntries()}
    >
      {t(isBusy ? 'admin.audit.export.busy' : 'admin.audit.export')}
    </Button>
  )
}
