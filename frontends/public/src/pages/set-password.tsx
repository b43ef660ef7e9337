import { useState } from 'react'
import { ApiError } from '@confetti/api-client'
import { Link, useLocation, useNavigate } from '@confetti/federation/router'
import { api, signOut, useSession } from '@confetti/session'
import { Button, buttonClass } from '@confetti/ui/button'
import { notify } from '@confetti/ui/notify'
import styles from '../features/account/account-layout.module.css'
import { AccountLayout, AccountNotice } from '../features/account/account-layout.tsx'
import { PasswordField, useAccountForm } from '../features/account/account-form.tsx'
import { getText, useText } from '../owner-texts.ts'

interface Props {
  title: string
  subtitle: string
  submitLabel: string
  successMessage: string
  path: '/api/auth/reset-password' | '/api/auth/accept-invitation'
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

/** Sets the password of the account whose token is in the fragment of the address. */
const SetPasswordForm = ({ title, subtitle, submitLabel, successMessage, path, invalidLink }: Props) => {
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token')
  const navigate = useNavigate()
  const t = useText()
  const [isInvalid, setIsInvalid] = useState(!token)
  const { form, busy, errors, clear, handleSubmit } = useAccountForm<'password'>(async ({ password }) => {
    try {
      await api().post(path, { body: { token: token ?? '', password } })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'link_invalid') throw error
      setIsInvalid(true)
      return
    }
    // Whoever is signed in here would otherwise be led past the sign-in page.
    if (useSession.getState().user) await signOut().catch(() => undefined)
    notify({ title: getText('account.success'), message: successMessage })
    // Replaces the address, so that the token does not stay in the history.
    void navigate('/login', { replace: true })
  })

  if (isInvalid) return <LinkInvalid {...invalidLink} />
  return (
    <AccountLayout>
      <h1>{title}</h1>
      <p className={styles.subtitle}>{subtitle}</p>
      <form ref={form} className={styles.form} onSubmit={handleSubmit}>
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

export const AcceptInvitation = () => {
  const t = useText()
  return (
    <SetPasswordForm
      title={t('account.accept')}
      subtitle={t('account.accept.text')}
      submitLabel={t('account.register.submit')}
      successMessage={t('account.accept.done')}
      path="/api/auth/accept-invitation"
      invalidLink={{ text: t('account.accept.invalid') }}
    />
  )
}

export const ResetPassword = () => {
  const t = useText()
  return (
    <SetPasswordForm
      title={t('account.reset')}
      subtitle={t('account.reset.text')}
      submitLabel={t('account.reset.submit')}
      successMessage={t('account.reset.done')}
      path="/api/auth/reset-password"
      invalidLink={{
        text: t('account.reset.invalid'),
        to: '/forgot-password',
        name: t('account.reset.newLink'),
      }}
    />
  )
}
