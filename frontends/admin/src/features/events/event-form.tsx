import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { DateField } from '@confetti/ui/date-picker'
import { getFailureText, getFieldErrors } from '@confetti/ui/failure-text'
import { TextArea, TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notifyError } from '@confetti/ui/notify'
import { useLayoutEffect, useState, type ReactNode, type Ref, type SubmitEvent } from 'react'
import { useText, type Text } from '../../texts.ts'
import { END_BEFORE_START, findTooLongFields, type DraftErrors, type EventFields } from './event-draft.ts'
import styles from './event-form.module.css'

interface Options<Draft> {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
  validate: (t: Text, draft: Draft) => DraftErrors
  /** Sends the draft. Resolves to the selector of the element that gets the focus then. */
  send: (draft: Draft) => Promise<string>
}

/** The state of a form for an event: what is marked, what is being sent, and where the focus goes afterwards. */
export const useEventForm = <Draft extends EventFields>({
  draft,
  onChange,
  validate,
  send,
}: Options<Draft>) => {
  const t = useText()
  const [isBusy, setIsBusy] = useState(false)
  /** Set by a submit with missing fields: they are marked until they are filled in. */
  const [isInvalidSubmit, setIsInvalidSubmit] = useState(false)
  const [focusTarget, setFocusTarget] = useState<{ selector: string }>()
  const { form, errors: rejected, show, clear } = useForm()

  useLayoutEffect(() => {
    if (focusTarget) form.current?.querySelector<HTMLElement>(focusTarget.selector)?.focus()
  }, [focusTarget, form])

  const change = (changes: Partial<Draft>): void => {
    onChange(changes)
    for (const field of Object.keys(changes)) clear(field)
  }

  const sendDraft = async (): Promise<void> => {
    setIsBusy(true)
    try {
      setFocusTarget({ selector: await send(draft) })
    } catch (error) {
      notifyError(getFailureText(error))
      show(() => getFieldErrors(error))
      if (Object.keys(getFieldErrors(error)).length === 0) setFocusTarget({ selector: '[type="submit"]' })
    } finally {
      setIsBusy(false)
    }
  }

  const { summary, fields } = validate(t, draft)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isBusy) return
    setIsInvalidSubmit(summary !== undefined)
    if (summary === undefined) return void sendDraft()
    notifyError(t(summary))
    setFocusTarget({ selector: '[aria-invalid]' })
  }

  // Dates in the wrong order are marked before the submit, because no missing field can correct them.
  const invalid = isInvalidSubmit || summary === END_BEFORE_START ? fields : {}
  const errors: DraftErrors['fields'] = { ...findTooLongFields(t, draft), ...invalid, ...rejected }
  return { form, isBusy, errors, change, submit }
}

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
  /** Fields below the days. */
  more?: ReactNode
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
  more,
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
          {more}
          <Button type="submit" size="large" wide>
            {submitLabel}
          </Button>
        </fieldset>
        {children}
      </form>
    </Card>
  )
}
