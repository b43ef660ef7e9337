import { useState } from 'react'
import { changePassword } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { getFailureText, getFieldErrors } from '@confetti/ui/failure-text'
import { useFieldErrors } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText, useText } from '../../owner-texts.ts'
import styles from './account-page.module.css'
import { PasswordField } from './password-field.tsx'
import { getPasswordTooLong, isPasswordTooLong } from './password-length.ts'

/** Changes the password of the signed-in user. */
export const ChangePasswordForm = ({ email }: { email: string }) => {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const { form, errors, show, clear } = useFieldErrors()

  const submit = async (fields: FormData): Promise<void> => {
    const passwords = {
      currentPassword: fields.get('currentPassword') as string,
      newPassword: fields.get('newPassword') as string,
    }
    if (isPasswordTooLong(passwords.newPassword)) {
      notifyError(getPasswordTooLong())
      show(() => ({ newPassword: getPasswordTooLong() }))
      return
    }
    setBusy(true)
    try {
      await changePassword(passwords)
      notify({ title: getText('account.changed'), message: getText('account.changed.text') })
      form.current?.reset()
      clear()
    } catch (error) {
      notifyError(getFailureText(error))
      show(() => getFieldErrors(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card as="section" aria-labelledby="change-password" className={styles.card}>
      <h2 id="change-password">{t('account.change')}</h2>
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
          kind="current"
          name="currentPassword"
          autoComplete="current-password"
          error={errors.currentPassword}
          onChange={() => clear('currentPassword')}
        />
        <PasswordField
          kind="new"
          name="newPassword"
          autoComplete="new-password"
          error={errors.newPassword}
          onChange={() => clear('newPassword')}
        />
        <Button type="submit" className={styles.action} aria-disabled={busy}>
          {busy ? t('common.loading') : t('account.change.submit')}
        </Button>
      </form>
    </Card>
  )
}
