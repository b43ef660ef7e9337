import { useState } from 'react'
import { ApiError, getErrorMessage } from '@confetti/api-client'
import { MAX_EMAIL_CHARACTERS } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { api } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { TextField } from '@confetti/ui/field'
import { useFieldErrors } from '@confetti/ui/field-errors'
import { notifyError } from '@confetti/ui/notify'
import styles from './account-form.module.css'
import { AccountLayout } from './account-layout.tsx'
import { AccountNotice } from './account-notice.tsx'
import { useAuthSettings } from './use-auth-settings.ts'

const AskAdmin = () => (
  <AccountNotice title="Ask an admin for help">
    <p>Passwords cannot be reset by mail here. Please ask an admin for a link to set a new one.</p>
  </AccountNotice>
)

const CheckMail = ({ email }: { email: string }) => (
  <AccountNotice title="Check your mail">
    <p>If {email} has an account, a mail with a link is on its way. The link works once, for an hour.</p>
    <p>No mail after a few minutes? Look in your spam folder, and check the address.</p>
  </AccountNotice>
)

/** Requests a mail with a link to reset the password. */
export const ForgotPasswordForm = () => {
  const settings = useAuthSettings()
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<{ email: string; mail: 'on' | 'off' }>()
  const { form, errors, show, clear } = useFieldErrors()

  const submit = async (email: string): Promise<void> => {
    setBusy(true)
    try {
      const { mail } = await api().post('/api/auth/forgot-password', { body: { email } })
      setSent({ email, mail })
    } catch (error) {
      notifyError(getErrorMessage(error))
      show(error instanceof ApiError ? error.fieldErrors : {})
    } finally {
      setBusy(false)
    }
  }

  if ((sent ?? settings)?.mail === 'off') return <AskAdmin />
  if (sent) return <CheckMail email={sent.email} />
  return (
    <AccountLayout>
      <h1>Forgot your password?</h1>
      <p className={styles.subtitle}>We send you a link to set a new one.</p>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit(new FormData(event.currentTarget).get('email') as string)
        }}
      >
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          maxLength={MAX_EMAIL_CHARACTERS}
          required
          error={errors.email}
          onChange={() => clear('email')}
        />
        <Button type="submit" wide size="large" aria-disabled={busy}>
          {busy ? 'Loading...' : 'Send Link'}
        </Button>
      </form>
      <p className={styles.otherForm}>
        Remembered it? <Link to="/login">Sign in</Link>
      </p>
    </AccountLayout>
  )
}
