import { useEffect, useRef, useState } from 'react'
import type { Event, EventDraft } from '@confetti/contracts'
import { ApiError, getErrorMessage } from '@confetti/api-client'
import { Link } from '@confetti/federation/router'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { DateField } from '@confetti/ui/date-picker'
import { TextArea, TextField } from '@confetti/ui/field'
import { notify, notifyError } from '@confetti/ui/notify'
import PartyPopper from 'lucide-react/icons/party-popper'
import styles from './create-event-form.module.css'
import {
  END_BEFORE_START,
  emptyDraft,
  findTooLongFields,
  validateDraft,
  type DraftErrors,
} from './event-draft.ts'
import { createEvent } from './events-api.ts'
import { saveDraft, loadDraft } from './draft-storage.ts'
import { UserField } from './user-field.tsx'

/** Creates an event. The draft is stored until the event has been created. */
export const CreateEventForm = ({ userId }: { userId: string }) => {
  const [draft, setDraft] = useState(() => loadDraft(userId))
  const [isBusy, setIsBusy] = useState(false)
  /** Set by a submit with missing fields: they are marked until they are filled in. */
  const [isInvalidSubmit, setIsInvalidSubmit] = useState(false)
  const [rejected, setRejected] = useState<DraftErrors['fields']>({})
  const [created, setCreated] = useState<Event>()
  const [focusTarget, setFocusTarget] = useState<{ selector: string }>()
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (focusTarget) form.current?.querySelector<HTMLElement>(focusTarget.selector)?.focus()
  }, [focusTarget])

  const update = (next: EventDraft): void => {
    setDraft(next)
    saveDraft(userId, next)
  }
  const change = (changes: Partial<EventDraft>): void => {
    update({ ...draft, ...changes })
    const isUnchanged = ([field]: [string, string]): boolean => !(field in changes)
    setRejected(Object.fromEntries(Object.entries(rejected).filter(isUnchanged)))
  }

  const send = async (): Promise<void> => {
    setIsBusy(true)
    try {
      setCreated(await createEvent(draft))
      update(emptyDraft)
      notify({ message: 'Event created successfully' })
      setFocusTarget({ selector: '[role="status"] a' })
    } catch (error) {
      notifyError(getErrorMessage(error))
      const fieldErrors = error instanceof ApiError ? error.fieldErrors : {}
      setRejected(fieldErrors)
      setFocusTarget({
        selector: Object.keys(fieldErrors).length > 0 ? '[aria-invalid]' : '[type="submit"]',
      })
    } finally {
      setIsBusy(false)
    }
  }

  const submit = (): void => {
    const { summary } = validateDraft(draft)
    setIsInvalidSubmit(summary !== undefined)
    setCreated(undefined)
    if (!summary) return void send()
    notifyError(summary)
    setFocusTarget({ selector: '[aria-invalid]' })
  }

  const { summary, fields } = validateDraft(draft)
  // Dates in the wrong order are marked before the submit, because no missing field can correct them.
  const invalid = isInvalidSubmit || summary === END_BEFORE_START ? fields : {}
  const errors = { ...findTooLongFields(draft), ...invalid, ...rejected }

  return (
    <Card className={styles.card}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) submit()
        }}
      >
        {/* Disabled while sending: a change made meanwhile would be cleared afterwards. */}
        <fieldset className={styles.fields} disabled={isBusy}>
          <TextField
            label="Event Name"
            required
            autoComplete="off"
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
            error={errors.name}
          />
          <TextArea
            label="Description"
            rows={4}
            value={draft.description ?? ''}
            onChange={({ target }) => change({ description: target.value })}
            error={errors.description}
            hint="Optional. Guests read it above the upload form."
          />
          <UserField
            value={draft.eventFor}
            onChange={(eventFor) => change({ eventFor })}
            error={errors.eventFor}
          />
          <div className={styles.days}>
            <DateField
              label="Start Date"
              value={draft.startDate}
              onChange={(startDate) => change({ startDate })}
              error={errors.startDate}
            />
            <DateField
              label="End Date"
              value={draft.endDate}
              min={draft.startDate}
              onChange={(endDate) => change({ endDate })}
              error={errors.endDate}
            />
          </div>
          <Button type="submit" size="large" wide>
            {isBusy ? 'Creating...' : 'Create Event'}
          </Button>
        </fieldset>
        <div role="status">
          {created && (
            <p className={styles.created}>
              <PartyPopper size={20} aria-hidden />
              <span>
                {created.name} is ready. <Link to={`/events/${created._id}`}>See its QR code</Link>
              </span>
            </p>
          )}
        </div>
      </form>
    </Card>
  )
}
