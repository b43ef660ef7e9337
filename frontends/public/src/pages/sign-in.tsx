import type { ReactNode } from 'react'
import type { Role, User } from '@confetti/contracts'
import { Link, Navigate, useLocation, type Location } from '@confetti/federation/router'
import { getRole, register, signIn, useSession, type Credentials } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { notify } from '@confetti/ui/notify'
import styles from '../features/account/account-layout.module.css'
import { AccountLayout, AccountNotice, useAuthSettings } from '../features/account/account-layout.tsx'
import { EmailField, PasswordField, useAccountForm } from '../features/account/account-form.tsx'
import { SendingNotice } from '../features/upload/sending-status.tsx'
import { getText, useText } from '../owner-texts.ts'

interface Props {
  title: string
  subtitle: string
  submitLabel: string
  successMessage: string
  passwordAutoComplete: 'current-password' | 'new-password'
  onSubmit: (credentials: Credentials) => Promise<void>
  /** The question before the link to the other form. */
  otherFormQuestion: string
  otherFormLink: { to: '/login' | '/register'; name: string }
  /** Links between the form and the link to the other one. */
  children?: ReactNode
}

const DEFAULT_REDIRECT = '/welcome'

/** The location state that the shell's guard sets: the requested page, and the roles that may open it. */
interface LoginState {
  from?: Location
  roles?: readonly Role[]
}

const getRedirect = (state: LoginState | null, user: User): Location | string =>
  state?.from && (!state.roles || state.roles.includes(getRole(user))) ? state.from : DEFAULT_REDIRECT

/** The form for sign-in and registration. Redirects signed-in users to the page that they requested, or to /welcome. */
export const AccountForm = ({
  title,
  subtitle,
  submitLabel,
  successMessage,
  passwordAutoComplete,
  onSubmit,
  otherFormQuestion,
  otherFormLink,
  children,
}: Props) => {
  const t = useText()
  const { form, busy, errors, clear, handleSubmit } = useAccountForm<keyof Credentials>(
    async (credentials) => {
      await onSubmit(credentials)
      notify({ title: getText('account.success'), message: successMessage })
    },
  )
  const user = useSession((session) => session.user)
  const loginState = useLocation().state as LoginState | null

  if (user) return <Navigate to={getRedirect(loginState, user)} replace />
  return (
    <AccountLayout>
      <h1>{title}</h1>
      <p className={styles.subtitle}>{subtitle}</p>
      <form ref={form} className={styles.form} onSubmit={handleSubmit}>
        <EmailField error={errors.email} onChange={() => clear('email')} />
        <PasswordField
          autoComplete={passwordAutoComplete}
          error={errors.password}
          onChange={() => clear('password')}
        />
        <Button type="submit" wide size="large" aria-disabled={busy}>
          {busy ? t('common.loading') : submitLabel}
        </Button>
      </form>
      {children}
      <p className={styles.otherForm}>
        {otherFormQuestion}{' '}
        <Link to={otherFormLink.to} state={loginState}>
          {otherFormLink.name}
        </Link>
      </p>
    </AccountLayout>
  )
}

export const Login = () => {
  const t = useText()
  return (
    <>
      <AccountForm
        title={t('account.login')}
        subtitle={t('account.login.text')}
        submitLabel={t('account.login.submit')}
        successMessage={t('account.login.done')}
        passwordAutoComplete="current-password"
        onSubmit={signIn}
        otherFormQuestion={t('account.login.question')}
        otherFormLink={{ to: '/register', name: t('account.register.link') }}
      >
        <p>
          <Link to="/forgot-password" className={styles.link}>
            {t('account.forgot')}
          </Link>
        </p>
      </AccountForm>
      <SendingNotice />
    </>
  )
}

export const Register = () => {
  const t = useText()
  const settings = useAuthSettings()
  return (
    <>
      {settings?.registration === 'invitation' ? (
        <AccountNotice title={t('account.invitationOnly')}>
          <p>{t('account.invitationOnly.text')}</p>
        </AccountNotice>
      ) : (
        <AccountForm
          title={t('account.register')}
          subtitle={t('account.register.text')}
          submitLabel={t('account.register.submit')}
          successMessage={t('account.register.done')}
          passwordAutoComplete="new-password"
          onSubmit={register}
          otherFormQuestion={t('account.register.question')}
          otherFormLink={{ to: '/login', name: t('account.signIn.link') }}
        />
      )}
      <SendingNotice />
    </>
  )
}
