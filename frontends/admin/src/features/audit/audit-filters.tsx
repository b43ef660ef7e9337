import { useId, useState } from 'react'
import { auditActions, MAX_EMAIL_CHARACTERS, type Event } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { TextField } from '@confetti/ui/field'
import { SelectField } from '@confetti/ui/select-field'
import { useText } from '../../texts.ts'
import type { AuditFilter } from './audit-filter.ts'
import styles from './audit-filters.module.css'
import { actionLabels } from './audit-text.ts'
import { ExportButton } from './export-button.tsx'

type NamedEvent = Pick<Event, '_id' | 'name' | 'startDate'>

/** How an event is listed: events of the same name differ in their days. */
const toEventLabel = ({ name, startDate }: NamedEvent): string => `${name} ${startDate}`

/** The id of the event that a text stands for: one of the list, the only one whose name has it, or an id. */
const findEventId = (text: string, events: readonly NamedEvent[]): string | undefined => {
  const wanted = text.trim()
  if (wanted === '' || /^[\da-f]{24}$/i.test(wanted)) return wanted
  const listed = events.find((event) => toEventLabel(event) === wanted)
  if (listed) return listed._id
  const found = events.filter(({ name }) => name.toLocaleLowerCase().includes(wanted.toLocaleLowerCase()))
  return found.length === 1 ? found[0]?._id : undefined
}

interface Props {
  /** What is shown now. */
  filter: AuditFilter
  /** All events, as far as they have been loaded. */
  events: readonly NamedEvent[]
  onChange: (filter: AuditFilter) => void
}

/** The form that restricts the audit log. */
export const AuditFilters = ({ filter, events, onChange }: Props) => {
  const t = useText()
  const [draft, setDraft] = useState(filter)
  const [hasError, setHasError] = useState(false)
  const eventsId = useId()
  const [typedEvent, setTypedEvent] = useState<string>()
  const chosen = events.find(({ _id }) => _id === filter.eventId)
  const eventText = typedEvent ?? (chosen ? toEventLabel(chosen) : filter.eventId)
  const bind = (field: 'actor' | 'from' | 'to') => ({
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
          const eventId = typedEvent === undefined ? filter.eventId : findEventId(typedEvent, events)
          setHasError(eventId === undefined)
          if (eventId !== undefined) onChange({ ...draft, actor: draft.actor.trim().toLowerCase(), eventId })
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
          error={hasError ? t('admin.audit.filter.eventInvalid') : undefined}
          autoComplete="off"
          autoCapitalize="none"
          list={eventsId}
          value={eventText}
          onChange={({ target }) => setTypedEvent(target.value)}
        />
        <datalist id={eventsId}>
          {events.map((event) => (
            <option key={event._id} value={toEventLabel(event)} />
          ))}
        </datalist>
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
