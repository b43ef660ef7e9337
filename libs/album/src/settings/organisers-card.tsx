import { useId, useRef, useState } from 'react'
import type { Event } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notify } from '@confetti/ui/notify'
import type { EventCalls } from '../event-calls.ts'
import { getText, useText } from '../texts.ts'
import styles from './organisers-card.module.css'

type Organiser = Event['eventFor']

interface Props {
  event: Event
  calls: Pick<EventCalls, 'addOrganiser' | 'removeOrganiser'>
  userId: string
  onChanged: (event: Event) => void
  onLeft: () => void
}

/** The organisers of an event. Each of them can add others by email address, and remove them. */
export const OrganisersCard = ({ event, calls, userId, onChanged, onLeft }: Props) => {
  const { organisers } = event
  const t = useText()
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const [email, setEmail] = useState('')
  const [leaving, setLeaving] = useState<Organiser>()
  const { form, isBusy, errors, show, clear, send } = useForm()

  const add = (): void => {
    const address = email.trim()
    if (!address) {
      show(() => ({ email: getText('album.settings.organisers.missing') }))
      return
    }
    void send(async () => {
      onChanged(await calls.addOrganiser(address))
      setEmail('')
      notify({ message: getText('album.settings.organisers.added', { email: address }) })
    })
  }

  const remove = ({ _id, email: address }: Organiser): void => {
    void send(async () => {
      const changed = await calls.removeOrganiser(_id)
      notify({ message: getText('album.settings.organisers.removed', { email: address }) })
      if (_id === userId) onLeft()
      else onChanged(changed)
      // The button that had the focus is gone.
      title.current?.focus({ preventScroll: true })
    })
  }

  return (
    <Card as="section" aria-labelledby={titleId} className={styles.card}>
      <h2 id={titleId} ref={title} tabIndex={-1}>
        {t('album.settings.organisers')}
      </h2>
      <ul className={styles.list}>
        {organisers.map((organiser) => (
          <li key={organiser._id}>
            {organiser._id === userId ? (
              <span>{t('album.settings.organisers.you', { email: organiser.email })}</span>
            ) : (
              <bdi>{organiser.email}</bdi>
            )}
            {organisers.length > 1 && (
              <Button
                variant="outline"
                size="small"
                aria-label={t('album.settings.organisers.removeOne', { email: organiser.email })}
                aria-disabled={isBusy}
                onClick={() => setLeaving(organiser)}
              >
                {t('album.settings.organisers.remove')}
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
          label={t('album.settings.organisers.email')}
          type="email"
          autoComplete="off"
          value={email}
          onChange={({ target }) => {
            setEmail(target.value)
            clear('email')
          }}
          error={errors.email}
          hint={t('album.settings.organisers.hint')}
        />
        <Button type="submit" variant="secondary" aria-disabled={isBusy}>
          {t('album.settings.organisers.add')}
        </Button>
      </form>
      <ConfirmDialog
        open={leaving !== undefined}
        title={t('album.settings.organisers.removeTitle')}
        text={
          leaving?._id === userId
            ? t('album.settings.organisers.removeYou')
            : t('album.settings.organisers.removeText', { email: leaving?.email ?? '' })
        }
        confirmLabel={t('album.settings.organisers.remove')}
        onConfirm={() => {
          setLeaving(undefined)
          if (leaving) remove(leaving)
        }}
        onCancel={() => setLeaving(undefined)}
      />
    </Card>
  )
}
