import { useState } from 'react'
import { ApiError, getErrorMessage } from '@confetti/api-client'
import { changePassword } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { useFieldErrors } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import styles from './account-page.module.css'
import { PasswordField } from './password-field.tsx'
import { findPasswordTooLong } from './password-length.ts'

/** Changes the password of the signed-in user. */
export const ChangePasswordForm = ({ email }: { email: string }) => {
  const [busy, setBusy] = useState(false)
  const { form, errors, show, clear } = useFieldErrors()

  const submit = async (fields: FormData): Promise<void> => {
    const passwords = {
      currentPassword: fields.get('currentPassword') as string,
      newPassword: fields.get('newPassword') as string,
    }
    const tooLong = findPasswordTooLong(passwords.newPassword)
    if (tooLong) {
      notifyError(tooLong)
      show({ newPassword: tooLong })
      return
    }
    setBusy(true)
    try {
      await changePassword(passwords)
      notify({ title: 'Password changed', message: 'Your other devices have been signed out.' })
      form.current?.reset()
      show({})
    } catch (error) {
      notifyError(getErrorMessage(error))
      show(error instanceof ApiError ? error.fieldErrors : {})
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card as="section" aria-labelledby="change-password" className={styles.card}>
      <h2 id="change-password">Change password</h2>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit(new FormData(event.currentTarget))
        }}
      >
        {/* For password managers. */}
        <input hidden readOnly type="email" autoComplete="username" value={email} />
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          error={errors.currentPassword}
          onChange={() => clear('currentPassword')}
        />
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          error={errors.newPassword}
          onChange={() => clear('newPassword')}
        />
        <Button type="submit" className={styles.action} aria-disabled={busy}>
          {busy ? 'Loading...' : 'Change Password'}
        </Button>
      </form>
    </Card>
  )
}
