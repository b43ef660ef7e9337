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
    question="Don't have an account?"
    other={{ to: '/register', name: 'Sign up' }}
  />
)
