import { useState } from 'react'
import UserPlus from 'lucide-react/icons/user-plus'
import { ApiError, getErrorMessage } from '@confetti/api-client'
import { MAX_EMAIL_CHARACTERS, type Role } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { SelectField, TextField } from '@confetti/ui/field'
import { useFieldErrors } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import { useMailSetting } from '../../mail-setting.ts'
import styles from './invite-form.module.css'
import { UnsentLinkPanel, type UnsentLink } from './unsent-link.tsx'
import { inviteUser } from './users-api.ts'

interface Props {
  /** A link that is shown, to be passed on. */
  unsent: UnsentLink | undefined
  /** `unsent` is undefined if a mail has been sent. */
  onInvited: (unsent: UnsentLink | undefined) => void
}

/** Invites somebody by their email address. */
export const InviteForm = ({ unsent, onInvited }: Props) => {
  const isMailOff = useMailSetting() === 'off'
  const [isSending, setIsSending] = useState(false)
  const { form, errors, show, clear } = useFieldErrors()

  const submit = async (fields: FormData): Promise<void> => {
    const email = fields.get('email') as string
    const role = fields.get('role') as Role
    setIsSending(true)
    try {
      const { message, user, invitationUrl } = await inviteUser({ email, role })
      notify({ title: message, message: user.email })
      show({})
      form.current?.reset()
      onInvited(invitationUrl === undefined ? undefined : { email: user.email, url: invitationUrl })
    } catch (error) {
      notifyError(getErrorMessage(error))
      show(error instanceof ApiError ? error.fieldErrors : {})
    } finally {
      setIsSending(false)
    }
  }

  return (
    <Card as="section" aria-labelledby="invite" className={styles.card}>
      <h2 id="invite">Invite somebody</h2>
      {isMailOff && <p>Mail is off on this site. Pass invitation and reset links on yourself.</p>}
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSending) void submit(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          inputMode="email"
          maxLength={MAX_EMAIL_CHARACTERS}
          required
          error={errors.email}
          onChange={() => clear('email')}
        />
        <SelectField label="Role" name="role" defaultValue="user" error={errors.role}>
          <option value="user">Organiser</option>
          <option value="admin">Admin</option>
        </SelectField>
        <Button
          type="submit"
          className={styles.send}
          aria-disabled={isSending}
          icon={<UserPlus size={20} aria-hidden />}
        >
          {isSending ? 'Loading...' : 'Invite'}
        </Button>
      </form>
      {unsent && <UnsentLinkPanel {...unsent} />}
    </Card>
  )
}
