import { useState, type ReactNode } from 'react'
import { messageOf } from '@confetti/api-client'
import type { Role, User } from '@confetti/contracts'
import { Link, Navigate, useLocation, type Location } from '@confetti/federation/router'
import { roleOf, site, useSession, type Credentials } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { TextField } from '@confetti/ui/field'
import { Logo } from '@confetti/ui/logo'
import { notify, notifyError } from '@confetti/ui/notify'
import { Scraps } from '@confetti/ui/scraps'
import styles from './account-form.module.css'
import { PasswordField } from './password-field.tsx'

interface Props {
  title: string
  subtitle: string
  /** What the button says. */
  action: string
  success: string
  passwordKind: 'current-password' | 'new-password'
  send: (credentials: Credentials) => Promise<void>
  /** The question that leads to the other form, and that way. */
  question: string
  other: { to: '/login' | '/register'; name: string }
}

const AFTER = '/welcome'

/** Where a visitor was going, and for whom that is; the shell's guard tells it. */
interface Wanted {
  from?: Location
  roles?: readonly Role[]
}

const wayOn = (wanted: Wanted | null, user: User): Location | string =>
  wanted?.from && (!wanted.roles || wanted.roles.includes(roleOf(user))) ? wanted.from : AFTER

const Frame = ({ children }: { children: ReactNode }) => (
  <div className={styles.page}>
    <header>
      <Link to="/" className={styles.brand}>
        <Logo size={36} />
        {site().brand}
      </Link>
    </header>
    <main className={styles.main}>
      <Scraps className={styles.scraps} />
      <Card className={styles.card}>{children}</Card>
    </main>
  </div>
)

/** Email and password. Whoever is signed in goes on, to where the way to here began. */
export const AccountForm = ({
  title,
  subtitle,
  action,
  success,
  passwordKind,
  send,
  question,
  other,
}: Props) => {
  const [busy, setBusy] = useState(false)
  const user = useSession((session) => session.user)
  const wanted = useLocation().state as Wanted | null

  const submit = async (form: FormData): Promise<void> => {
    setBusy(true)
    try {
      await send({ email: form.get('email') as string, password: form.get('password') as string })
      notify({ title: 'Success', message: success })
    } catch (error) {
      notifyError(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  if (user) return <Navigate to={wayOn(wanted, user)} replace />
  return (
    <Frame>
      <h1>{title}</h1>
      <p className={styles.subtitle}>{subtitle}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit(new FormData(event.currentTarget))
        }}
      >
        <TextField label="Email" name="email" type="email" autoComplete="email" inputMode="email" required />
        <PasswordField kind={passwordKind} />
        <Button type="submit" wide size="large" aria-disabled={busy}>
          {busy ? 'Loading...' : action}
        </Button>
      </form>
      <p className={styles.other}>
        {question}{' '}
        <Link to={other.to} state={wanted}>
          {other.name}
        </Link>
      </p>
    </Frame>
  )
}
