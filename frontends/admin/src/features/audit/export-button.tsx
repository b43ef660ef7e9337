import { useState } from 'react'
import Download from 'lucide-react/icons/download'
import { Button } from '@confetti/ui/button'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText, useText } from '../../texts.ts'
import { fetchForExport, MAX_EXPORTED } from './audit-api.ts'
import { toCsv } from './audit-csv.ts'
import type { AuditFilter } from './audit-filter.ts'

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
