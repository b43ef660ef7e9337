import { useState } from 'react'
import { auditActions, MAX_EMAIL_CHARACTERS } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { SelectField, TextField } from '@confetti/ui/field'
import { useText } from '../../texts.ts'
import type { AuditFilter } from './audit-filter.ts'
import styles from './audit-filters.module.css'
import { actionLabels } from './audit-text.ts'
import { ExportButton } from './export-button.tsx'

const EVENT_ID_LENGTH = 24
const isEventId = (text: string): boolean => text === '' || /^[\da-f]{24}$/i.test(text)

/** The form that restricts the audit log. `filter` is what is shown now. */
export const AuditFilters = ({
  filter,
  onChange,
}: {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}) => {
  const t = useText()
  const [draft, setDraft] = useState(filter)
  const [hasError, setHasError] = useState(false)
  const bind = (field: 'actor' | 'eventId' | 'from' | 'to') => ({
    value: draft[field],
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [field]: target.value }),
  })

  return (
    <Card>
      <form
        noValidate
        className={styles.filters}
        onSubmit={(submission) => {
          submission.preventDefault()
          setHasError(!isEventId(draft.eventId.trim()))
          if (isEventId(draft.eventId.trim()))
            onChange({ ...draft, actor: draft.actor.trim().toLowerCase(), eventId: draft.eventId.trim() })
        }}
      >
        <TextField
          label={t('admin.audit.filter.person')}
          hint={t('admin.audit.filter.personHint')}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={MAX_EMAIL_CHARACTERS}
          {...bind('actor')}
        />
        <TextField
          label={t('admin.audit.filter.event')}
          hint={t('admin.audit.filter.eventHint')}
          error={hasError ? t('admin.audit.filter.eventInvalid', { length: EVENT_ID_LENGTH }) : undefined}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={EVENT_ID_LENGTH}
          {...bind('eventId')}
        />
        <SelectField
          label={t('admin.audit.filter.action')}
          value={draft.action}
          onChange={({ target }) =>
            setDraft({ ...draft, action: auditActions.find((action) => action === target.value) ?? '' })
          }
        >
          <option value="">{t('admin.audit.filter.allActions')}</option>
          {auditActions.map((action) => (
            <option key={action} value={action}>
              {t(actionLabels[action])}
            </option>
          ))}
        </SelectField>
        <TextField label={t('admin.audit.filter.firstDay')} type="date" {...bind('from')} />
        <TextField label={t('admin.audit.filter.lastDay')} type="date" {...bind('to')} />
        <div className={styles.buttons}>
          <Button type="submit">{t('admin.audit.filter.apply')}</Button>
          <ExportButton filter={filter} />
        </div>
      </form>
    </Card>
  )
}
