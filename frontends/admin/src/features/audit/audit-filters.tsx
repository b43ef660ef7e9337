import { useState } from 'react'
import { auditActions, MAX_EMAIL_CHARACTERS } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { SelectField, TextField } from '@confetti/ui/field'
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
          label="Person"
          hint="An email address or account id"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={MAX_EMAIL_CHARACTERS}
          {...bind('actor')}
        />
        <TextField
          label="Event"
          hint="The id after /events/ in its address"
          error={hasError ? `An event id has ${EVENT_ID_LENGTH} characters.` : undefined}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={EVENT_ID_LENGTH}
          {...bind('eventId')}
        />
        <SelectField
          label="Action"
          value={draft.action}
          onChange={({ target }) =>
            setDraft({ ...draft, action: auditActions.find((action) => action === target.value) ?? '' })
          }
        >
          <option value="">All</option>
          {auditActions.map((action) => (
            <option key={action} value={action}>
              {actionLabels[action]}
            </option>
          ))}
        </SelectField>
        <TextField label="First day" type="date" {...bind('from')} />
        <TextField label="Last day" type="date" {...bind('to')} />
        <div className={styles.buttons}>
          <Button type="submit">Apply filters</Button>
          <ExportButton filter={filter} />
        </div>
      </form>
    </Card>
  )
}
