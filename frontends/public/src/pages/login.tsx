import { Link } from '@confetti/federation/router'
import { signIn } from '@confetti/session'
import { useText } from '../owner-texts.ts'
import { AccountForm } from '../features/account/account-form.tsx'
import styles from '../features/account/account-form.module.css'
import { SendingNotice } from '../features/upload/sending-notice.tsx'

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
