import { useState, type ReactNode } from 'react'
import { messageOf } from '@confetti/api-client'
import { useLocation, useNavigate, type Location } from '@confetti/federation/router'
import type { Credentials } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { TextField } from '@confetti/ui/field'
import { notify, notifyError } from '@confetti/ui/notify'
import styles from './account-form.module.css'

interface Props {
  title: string
  subtitle: string
  /** What the button says. */
  action: string
  success: string
  passwordKind: 'current-password' | 'new-password'
  send: (credentials: Credentials) => Promise<void>
  /** The way to the other form. */
  children: ReactNode
}

const AFTER = '/welcome'

/** Email and password, and on to where the visitor was going. */
export const AccountForm = ({ title, subtitle, action, success, passwordKind, send, children }: Props) => {
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()
  const { from } = (useLocation().state ?? {}) as { from?: Location }

  const submit = async (form: FormData): Promise<void> => {
    setBusy(true)
    try {
      await send({ email: String(form.get('email')), password: String(form.get('password')) })
      notify({ title: 'Success', message: success })
      await navigate(from ?? AFTER, { replace: true })
    } catch (error) {
      notifyError(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <main className={styles.page}>
      <Card className={styles.card}>
        <h1>{title}</h1>
        <p className={styles.subtitle}>{subtitle}</p>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) void submit(new FormData(event.currentTarget))
          }}
        >
          <TextField label="Email" name="email" type="email" autoComplete="email" required />
          <TextField label="Password" name="password" type="password" autoComplete={passwordKind} required />
          <Button type="submit" wide size="large" disabled={busy}>
            {busy ? 'Loading...' : action}
          </Button>
        </form>
        {children}
      </Card>
    </main>
  )
}
