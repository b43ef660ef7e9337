import { Link } from '@confetti/federation/router'
import { signIn } from '@confetti/session'
import { AccountForm } from '../features/account/account-form.tsx'
import styles from '../features/account/account-form.module.css'
import { SendingNotice } from '../features/upload/sending-notice.tsx'

export const Login = () => (
  <>
    <AccountForm
      title="Welcome back"
      subtitle="Enter your credentials to continue"
      submitLabel="Sign In"
      successMessage="Logged in successfully"
      passwordAutoComplete="current-password"
      onSubmit={signIn}
      otherFormQuestion="Don't have an account?"
      otherFormLink={{ to: '/register', name: 'Sign up' }}
    >
      <p>
        <Link to="/forgot-password" className={styles.link}>
          Forgot your password?
        </Link>
      </p>
    </AccountForm>
    <SendingNotice />
  </>
)
