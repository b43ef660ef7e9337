import { useState } from 'react'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { Link, useLocation, useNavigate } from '@confetti/federation/router'
import { api, signIn, signOut, useSession } from '@confetti/session'
import { Button, buttonClass } from '@confetti/ui/button'
import { TextField } from '@confetti/ui/field'
import { notify } from '@confetti/ui/notify'
import styles from '../features/account/account-layout.module.css'
import { AccountLayout, AccountNotice } from '../features/account/account-layout.tsx'
import { PasswordField, useAccountForm } from '../features/account/account-form.tsx'
import { sendToken, useInvitation } from '../features/account/use-invitation.ts'
import { getText, useText } from '../owner-texts.ts'

interface Props {
  title: string
  subtitle: string
  submitLabel: string
  /** The address of the account, where it is known. */
  email?: string | undefined
  isInvalid: boolean
  /** Sends the new password. */
  onSubmit: (password: string) => Promise<void>
  /** What to do about a link that no longer works. */
  invalidLink: { text: string; to?: '/forgot-password'; name?: string }
}

const LinkInvalid = ({ text, to, name }: Props['invalidLink']) => {
  const t = useText()
  return (
    <AccountNotice title={t('account.linkInvalid')}>
      <p>{text}</p>
      {to && (
        <Link to={to} className={buttonClass({ wide: true })}>
          {name}
        </Link>
      )}
    </AccountNotice>
  )
}

/** The form that sets the password of an account by a link. */
const SetPasswordForm = ({
  title,
  subtitle,
  submitLabel,
  email,
  isInvalid,
  onSubmit,
  invalidLink,
}: Props) => {
  const t = useText()
  const { form, busy, errors, clear, handleSubmit } = useAccountForm<'password'>(({ password }) =>
    onSubmit(password),
  )
  if (isInvalid) return <LinkInvalid {...invalidLink} />
  return (
    <AccountLayout>
      <h1>{title}</h1>
      <p className={styles.subtitle}>{subtitle}</p>
      <form ref={form} className={styles.form} onSubmit={handleSubmit}>
        {email && (
          // For password managers, too.
          <TextField label={t('account.email')} type="email" autoComplete="username" readOnly value={email} />
        )}
        <PasswordField
          kind="new"
          autoComplete="new-password"
          error={errors.password}
          onChange={() => clear('password')}
        />
        <Button type="submit" wide size="large" aria-disabled={busy}>
          {busy ? t('common.loading') : submitLabel}
        </Button>
      </form>
    </AccountLayout>
  )
}

/** The token in the fragment of the address. */
const useToken = (): string | null => new URLSearchParams(useLocation().hash.slice(1)).get('token')

/** Ends the session of whoever is signed in here: it may be another account's, and would lead past the sign-in page. */
const endSession = async (): Promise<void> => {
  if (useSession.getState().user) await signOut().catch(() => undefined)
}

const readInvitation = (token: string, signal?: AbortSignal) =>
  requestWithTimeout(signal, (callSignal) =>
    api().post('/api/auth/invitation', { body: { token }, quiet: true, signal: callSignal }),
  )

const invited = { user: 'account.accept.organiser', admin: 'account.accept.admin' } as const

/** Sets the first password of the invited account whose token is in the fragment of the address, and signs in. */
export const AcceptInvitation = () => {
  const token = useToken()
  const { details, isInvalid, setInvalid } = useInvitation(token, readInvitation)
  const navigate = useNavigate()
  const t = useText()
  const accept = async (password: string): Promise<void> => {
    // Whoever is faster than the answer, or has had a bad connection, is signed in, too.
    const invitation = details ?? (await readInvitation(token ?? '').catch(() => undefined))
    const body = { token: token ?? '', password }
    if (!(await sendToken(() => api().post('/api/auth/accept-invitation', { body }), setInvalid))) return
    await endSession()
    const isSignedIn =
      invitation !== undefined &&
      (await signIn({ email: invitation.email, password }).then(
        () => true,
        () => false,
      ))
    notify({
      title: getText('account.success'),
      message: getText(isSignedIn ? 'account.accept.ready' : 'account.accept.done'),
    })
    // Replaces the address, so that the token does not stay in the history.
    void navigate(isSignedIn ? '/welcome' : '/login', { replace: true })
  }
  return (
    <SetPasswordForm
      title={t('account.accept')}
      subtitle={
        details?.invitedBy
          ? `${t(invited[details.role], { inviter: details.invitedBy })} ${t('account.accept.text')}`
          : t('account.accept.text')
      }
      submitLabel={t('account.register.submit')}
      email={details?.email}
      isInvalid={isInvalid}
      onSubmit={accept}
      invalidLink={{ text: t('account.accept.invalid') }}
    />
  )
}

/** Sets a new password of the account whose token is in the fragment of the address. */
export const ResetPassword = () => {
  const token = useToken()
  const [isInvalid, setIsInvalid] = useState(!token)
  const navigate = useNavigate()
  const t = useText()
  const reset = async (password: string): Promise<void> => {
    const body = { token: token ?? '', password }
    const setInvalid = (): void => setIsInvalid(true)
    if (!(await sendToken(() => api().post('/api/auth/reset-password', { body }), setInvalid))) return
    await endSession()
    notify({ title: getText('account.success'), message: getText('account.reset.done') })
    void navigate('/login', { replace: true })
  }
  return (
    <SetPasswordForm
      title={t('account.reset')}
      subtitle={t('account.reset.text')}
      submitLabel={t('account.reset.submit')}
      isInvalid={isInvalid}
      onSubmit={reset}
      invalidLink={{
        text: t('account.reset.invalid'),
        to: '/forgot-password',
        name: t('account.reset.newLink'),
      }}
    />
  )
}
