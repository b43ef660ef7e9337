import { useId, useRef, useState } from 'react'
import { ApiError, getErrorMessage } from '@confetti/api-client'
import type { Event } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { TextField } from '@confetti/ui/field'
import { useFieldErrors } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import type { SettingsCalls } from './event-settings.tsx'
import styles from './organisers-card.module.css'

type Organiser = Event['eventFor']

interface Props {
  event: Event
  calls: Pick<SettingsCalls, 'addOrganiser' | 'removeOrganiser'>
  userId: string
  onChanged: (event: Event) => void
  onLeft: () => void
}

/** The organisers of an event. Each of them can add others by email address, and remove them. */
export const OrganisersCard = ({ event, calls, userId, onChanged, onLeft }: Props) => {
  const { eventFor, organisers = [eventFor] } = event
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const [email, setEmail] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [leaving, setLeaving] = useState<Organiser>()
  const { form, errors, show, clear } = useFieldErrors()

  const run = async (call: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await call()
    } catch (error) {
      notifyError(getErrorMessage(error))
      if (error instanceof ApiError) show(error.fieldErrors)
    } finally {
      setIsBusy(false)
    }
  }

  const add = (): void => {
    const address = email.trim()
    if (!address) {
      show({ email: 'Enter an email address.' })
      return
    }
    void run(async () => {
      onChanged(await calls.addOrganiser(address))
      setEmail('')
      notify({ message: `${address} is an organiser now` })
    })
  }

  const remove = ({ _id, email: address }: Organiser): void => {
    void run(async () => {
      const changed = await calls.removeOrganiser(_id)
      notify({ message: `${address} is no longer an organiser` })
      if (_id === userId) onLeft()
      else onChanged(changed)
      // The button that had the focus is gone.
      title.current?.focus({ preventScroll: true })
    })
  }

  return (
    <Card as="section" aria-labelledby={titleId} className={styles.card}>
      <h2 id={titleId} ref={title} tabIndex={-1}>
        Organisers
      </h2>
      <ul className={styles.list}>
        {organisers.map((organiser) => (
          <li key={organiser._id}>
            <span>
              {organiser.email}
              {organiser._id === userId && ' (you)'}
            </span>
            {organisers.length > 1 && (
              <Button
                variant="outline"
                size="small"
                aria-label={`Remove ${organiser.email}`}
                aria-disabled={isBusy}
                onClick={() => setLeaving(organiser)}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <form
        ref={form}
        noValidate
        className={styles.add}
        onSubmit={(submitEvent) => {
          submitEvent.preventDefault()
          add()
        }}
      >
        <TextField
          label="Email address of another organiser"
          type="email"
          autoComplete="off"
          value={email}
          onChange={({ target }) => {
            setEmail(target.value)
            clear('email')
          }}
          error={errors.email}
          hint="They need an account. They see and download the photos, and change these settings."
        />
        <Button type="submit" variant="secondary" aria-disabled={isBusy}>
          Add organiser
        </Button>
      </form>
      <ConfirmDialog
        open={leaving !== undefined}
        title="Remove organiser"
        text={
          leaving?._id === userId
            ? 'You will no longer see the event and its photos.'
            : `${leaving?.email ?? ''} will no longer see the event and its photos.`
        }
        confirmLabel="Remove"
        onConfirm={() => {
          setLeaving(undefined)
          if (leaving) remove(leaving)
        }}
        onCancel={() => setLeaving(undefined)}
      />
    </Card>
  )
}
