import { useEffect, useRef, useState } from 'react'
import type { Event } from '@confetti/contracts'
import { messageOf } from '@confetti/api-client'
import { Link } from '@confetti/federation/router'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { DateField } from '@confetti/ui/date-picker'
import { TextArea, TextField } from '@confetti/ui/field'
import { notify, notifyError } from '@confetti/ui/notify'
import PartyPopper from 'lucide-react/icons/party-popper'
import styles from './create-event-form.module.css'
import { BACKWARDS, emptyDraft, problemsOf } from './event-draft.ts'
import { createEvent, type EventDraft } from './events-api.ts'
import { keepDraft, keptDraft } from './kept-draft.ts'
import { UserField } from './user-field.tsx'

/** A new event. What is filled in stays until the event is created. */
export const CreateEventForm = ({ userId }: { userId: string }) => {
  const [draft, setDraft] = useState(() => keptDraft(userId))
  const [busy, setBusy] = useState(false)
  /** Once it was sent with something missing, what is missing is marked until it is there. */
  const [refused, setRefused] = useState(false)
  const [created, setCreated] = useState<Event>()
  const [focus, setFocus] = useState<{ on: string }>()
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (focus) form.current?.querySelector<HTMLElement>(focus.on)?.focus()
  }, [focus])

  const write = (next: EventDraft): void => {
    setDraft(next)
    keepDraft(userId, next)
  }
  const change = (part: Partial<EventDraft>): void => write({ ...draft, ...part })

  const send = async (): Promise<void> => {
    setBusy(true)
    try {
      setCreated(await createEvent(draft))
      write(emptyDraft)
      notify({ message: 'Event created successfully' })
      setFocus({ on: '[role="status"] a' })
    } catch (error) {
      notifyError(messageOf(error))
      setFocus({ on: '[type="submit"]' })
    } finally {
      setBusy(false)
    }
  }

  const submit = (): void => {
    const { summary } = problemsOf(draft)
    setRefused(summary !== undefined)
    setCreated(undefined)
    if (!summary) return void send()
    notifyError(summary)
    setFocus({ on: '[aria-invalid]' })
  }

  const { summary, fields } = problemsOf(draft)
  // That the days are in the wrong order is said at once: nothing more is to come that would put it right.
  const errors = refused || summary === BACKWARDS ? fields : {}

  return (
    <Card className={styles.card}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) submit()
        }}
      >
        {/* While it is being sent nothing can be changed that would then be cleared. */}
        <fieldset className={styles.fields} disabled={busy}>
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
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
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
            {busy ? 'Creating...' : 'Create Event'}
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
