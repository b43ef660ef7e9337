import { useMailSetting } from '@confetti/album/event-calls'
import { MAX_EMAIL_CHARACTERS, type Role } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { copyText } from '@confetti/ui/copy-text'
import { Card } from '@confetti/ui/card'
import { TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import { SelectField } from '@confetti/ui/select-field'
import Copy from 'lucide-react/icons/copy'
import UserPlus from 'lucide-react/icons/user-plus'
import { useEffect, useRef } from 'react'
import { getText, useText } from '../../texts.ts'
import styles from './invite-form.module.css'
import { inviteUser, roleNames } from './users-api.ts'

/** A link for the owner of an account, where the system sends no mail. */
export interface UnsentLink {
  email: string
  url: string
}

/** A link to pass on. It gets the focus when it appears. */
const UnsentLinkPanel = ({ email, url }: UnsentLink) => {
  const t = useText()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [url])

  const copy = (): Promise<void> =>
    copyText(url, getText('admin.users.link.copied'), () =>
      notifyError(getText('admin.users.link.copyFailed')),
    )

  return (
    <div
      ref={panel}
      tabIndex={-1}
      role="group"
      aria-label={t('admin.users.link.title')}
      className={styles.panel}
    >
      <p>{t('admin.users.link.hint', { email })}</p>
      <code dir="ltr" className={styles.link}>
        {url}
      </code>
      <Button variant="secondary" icon={<Copy size={18} aria-hidden />} onClick={() => void copy()}>
        {t('admin.users.link.copy')}
      </Button>
    </div>
  )
}

interface Props {
  /** A link that is shown, to be passed on. */
  unsent: UnsentLink | undefined
  /** `unsent` is undefined if a mail has been sent. */
  onInvited: (unsent: UnsentLink | undefined) => void
}

/** Invites somebody by their email address. */
export const InviteForm = ({ unsent, onInvited }: Props) => {
  const t = useText()
  const isMailOff = useMailSetting() === 'off'
  const { form, isBusy: isSending, errors, clear, send } = useForm()

  const submit = async (fields: FormData): Promise<void> => {
    const email = fields.get('email') as string
    const role = fields.get('role') as Role
    const { user, invitationUrl } = await inviteUser({ email, role })
    notify({
      title: getText(invitationUrl === undefined ? 'admin.users.invite.sent' : 'admin.users.invite.created'),
      message: user.email,
    })
    clear()
    form.current?.reset()
    onInvited(invitationUrl === undefined ? undefined : { email: user.email, url: invitationUrl })
  }

  return (
    <Card as="section" aria-labelledby="invite" className={styles.card}>
      <h2 id="invite">{t('admin.users.invite.title')}</h2>
      {isMailOff && <p>{t('admin.users.invite.mailOff')}</p>}
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          void send(() => submit(fields))
        }}
      >
        <TextField
          label={t('admin.users.invite.email')}
          name="email"
          type="email"
          autoComplete="off"
          inputMode="email"
          maxLength={MAX_EMAIL_CHARACTERS}
          required
          error={errors.email}
          onChange={() => clear('email')}
        />
        <SelectField label={t('admin.users.invite.role')} name="role" defaultValue="user" error={errors.role}>
          <option value="user">{t(roleNames.user)}</option>
          <option value="admin">{t(roleNames.admin)}</option>
        </SelectField>
        <Button
          type="submit"
          className={styles.send}
          aria-disabled={isSending}
          icon={<UserPlus size={20} aria-hidden />}
        >
          {t(isSending ? 'common.loading' : 'admin.users.invite.submit')}
        </Button>
      </form>
      {unsent && <UnsentLinkPanel {...unsent} />}
    </Card>
  )
}
