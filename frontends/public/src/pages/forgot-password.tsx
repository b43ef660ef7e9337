import { useState } from 'react'
import { Link } from '@confetti/federation/router'
import { api } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { EmailField, useAccountForm } from '../features/account/account-form.tsx'
import styles from '../features/account/account-layout.module.css'
import { AccountLayout, AccountNotice, useAuthSettings } from '../features/account/account-layout.tsx'
import { useText } from '../owner-texts.ts'

const AskAdmin = () => {
  const t = useText()
  return (
    <AccountNotice title={t('account.askAdmin')}>
      <p>{t('account.askAdmin.text')}</p>
    </AccountNotice>
  )
}

const CheckMail = ({ email }: { email: string }) => {
  const t = useText()
  return (
    <AccountNotice title={t('account.checkMail')}>
      <p>{t('account.checkMail.text', { email })}</p>
      <p>{t('account.checkMail.missing')}</p>
    </AccountNotice>
  )
}

/** Requests a mail with a link to reset the password. */
export const ForgotPassword = () => {
  const t = useText()
  const settings = useAuthSettings()
  const [sent, setSent] = useState<{ email: string; mail: 'on' | 'off' }>()
  const { form, busy, errors, clear, handleSubmit } = useAccountForm<'email'>(async ({ email }) => {
    const { mail } = await api().post('/api/auth/forgot-password', { body: { email } })
    setSent({ email, mail })
  })

  if ((sent ?? settings)?.mail === 'off') return <AskAdmin />
  if (sent) return <CheckMail email={sent.email} />
  return (
    <AccountLayout>
      <h1>{t('account.forgot')}</h1>
      <p className={styles.subtitle}>{t('account.forgot.text')}</p>
      <form ref={form} className={styles.form} onSubmit={handleSubmit}>
        <EmailField error={errors.email} onChange={() => clear('email')} />
        <Button type="submit" wide size="large" aria-disabled={busy}>
          {busy ? t('common.loading') : t('account.forgot.submit')}
        </Button>
      </form>
      <p className={styles.otherForm}>
        {t('account.forgot.remembered')} <Link to="/login">{t('account.signIn.link')}</Link>
      </p>
    </AccountLayout>
  )
}
