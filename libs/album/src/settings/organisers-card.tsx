import { useId, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import Copy from 'lucide-react/icons/copy'
import type { Event, OrganiserInvitation } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { copyText } from '@confetti/ui/copy-text'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notify } from '@confetti/ui/notify'
import type { EventCalls } from '../event-calls.ts'
import { getText, useText } from '../texts.ts'
import { formatTime } from '../upload.ts'
import styles from './organisers-card.module.css'

type Organiser = Event['eventFor']

interface Props {
  event: Event
  calls: Pick<EventCalls, 'inviteOrganiser' | 'withdrawInvitation' | 'removeOrganiser'>
  userId: string
  onChanged: Dispatch<SetStateAction<Event>>
  onLeft: () => void
}

/** The link of an invitation where the site sends no mail. */
interface UnsentLink {
  invitation: OrganiserInvitation
  url: string
}

const UnsentLinkField = ({ invitation, url }: UnsentLink) => {
  const t = useText()
  const field = useRef<HTMLInputElement>(null)
  const copy = (): Promise<void> =>
    copyText(url, getText('album.settings.wall.copied'), () => field.current?.select())
  return (
    <div className={styles.add}>
      <TextField
        ref={field}
        label={t('album.settings.organisers.link')}
        readOnly
        value={url}
        hint={t('album.settings.organisers.linkHint', { email: invitation.email })}
      />
      <Button variant="secondary" icon={<Copy size={18} aria-hidden />} onClick={() => void copy()}>
        {t('album.settings.wall.copy')}
      </Button>
    </div>
  )
}

/** The organisers of an event. Each of them can invite others by email address, and remove them. */
export const OrganisersCard = ({ event, calls, userId, onChanged, onLeft }: Props) => {
  const { organisers, organiserInvitations: invitations } = event
  const t = useText()
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const [email, setEmail] = useState('')
  const [leaving, setLeaving] = useState<Organiser>()
  const [unsent, setUnsent] = useState<UnsentLink>()
  const { form, isBusy, errors, show, clear, send } = useForm()

  const invite = (): void => {
    const address = email.trim()
    if (!address) {
      show(() => ({ email: getText('album.settings.organisers.missing') }))
      return
    }
    void send(async () => {
      const { url, ...invitation } = await calls.inviteOrganiser(address)
      // Another card may have changed the event meanwhile.
      onChanged((current) => {
        const others = current.organiserInvitations.filter((other) => other.email !== invitation.email)
        return { ...current, organiserInvitations: [...others, invitation] }
      })
      setUnsent(url === undefined ? undefined : { invitation, url })
      setEmail('')
      notify({ message: getText('album.settings.organisers.invited', { email: invitation.email }) })
    })
  }

  const withdraw = ({ _id, email: address }: OrganiserInvitation): void => {
    void send(async () => {
      onChanged(await calls.withdrawInvitation(_id))
      notify({ message: getText('album.settings.organisers.withdrawn', { email: address }) })
      title.current?.focus({ preventScroll: true })
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
        {invitations.map((invitation) => (
          <li key={invitation._id}>
            <span>
              <bdi>{invitation.email}</bdi>
              <small className={styles.until}>
                {t('album.settings.organisers.invitedUntil', { date: formatTime(invitation.expiresAt) })}
              </small>
            </span>
            <Button
              variant="outline"
              size="small"
              aria-label={t('album.settings.organisers.withdrawOne', { email: invitation.email })}
              aria-disabled={isBusy}
              onClick={() => withdraw(invitation)}
            >
              {t('album.settings.organisers.withdraw')}
            </Button>
          </li>
        ))}
      </ul>
      <form
        ref={form}
        noValidate
        className={styles.add}
        onSubmit={(submitEvent) => {
          submitEvent.preventDefault()
          invite()
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
      {unsent && invitations.some(({ _id }) => _id === unsent.invitation._id) && (
        <UnsentLinkField {...unsent} />
      )}
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
