import { Link } from '@confetti/federation/router'
import { signIn } from '@confetti/session'
import { AccountForm } from '../features/account/account-form.tsx'

export const Login = () => (
  <AccountForm
    title="Welcome back"
    subtitle="Enter your credentials to continue"
    action="Sign In"
    success="Logged in successfully"
    passwordKind="current-password"
    send={signIn}
  >
    <p>
      Don't have an account? <Link to="/register">Sign up</Link>
    </p>
  </AccountForm>
)
