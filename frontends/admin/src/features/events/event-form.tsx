import type { ReactNode, Ref, SubmitEvent } from 'react'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { DateField } from '@confetti/ui/date-picker'
import { TextArea, TextField } from '@confetti/ui/field'
import { useText } from '../../texts.ts'
import type { DraftErrors, EventFields } from './event-draft.ts'
import styles from './event-form.module.css'

interface Props {
  form: Ref<HTMLFormElement>
  draft: EventFields
  errors: DraftErrors['fields']
  onChange: (changes: Partial<EventFields>) => void
  onSubmit: (event: SubmitEvent) => void
  isBusy: boolean
  submitLabel: string
  /** The fields for who organises the event. */
  organisers: ReactNode
  /** Shown below the button. */
  children?: ReactNode
}

/** The form to create or edit an event. */
export const EventForm = ({
  form,
  draft,
  errors,
  onChange,
  onSubmit,
  isBusy,
  submitLabel,
  organisers,
  children,
}: Props) => {
  const t = useText()
  return (
    <Card className={styles.card}>
      <form ref={form} noValidate onSubmit={onSubmit}>
        {/* Disabled while sending: a change made meanwhile would be cleared afterwards. */}
        <fieldset className={styles.fields} disabled={isBusy}>
          <TextField
            label={t('admin.events.form.name')}
            dir="auto"
            required
            autoComplete="off"
            value={draft.name}
            onChange={({ target }) => onChange({ name: target.value })}
            error={errors.name}
          />
          <TextArea
            label={t('admin.events.form.description')}
            dir="auto"
            rows={4}
            value={draft.description ?? ''}
            onChange={({ target }) => onChange({ description: target.value })}
            error={errors.description}
            hint={t('admin.events.form.descriptionHint')}
          />
          {organisers}
          <div className={styles.days}>
            <DateField
              label={t('admin.events.form.start')}
              value={draft.startDate}
              onChange={(startDate) => onChange({ startDate })}
              error={errors.startDate}
            />
            <DateField
              label={t('admin.events.form.end')}
              value={draft.endDate}
              min={draft.startDate}
              onChange={(endDate) => onChange({ endDate })}
              error={errors.endDate}
            />
          </div>
          <Button type="submit" size="large" wide>
            {submitLabel}
          </Button>
        </fieldset>
        {children}
      </form>
    </Card>
  )
}
