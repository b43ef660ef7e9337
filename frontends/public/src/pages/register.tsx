import { register } from '@confetti/session'
import { AccountForm } from '../features/account/account-form.tsx'

export const Register = () => (
  <AccountForm
    title="Create an account"
    subtitle="Enter your details to get started"
    action="Create Account"
    success="Account created successfully"
    passwordKind="new-password"
    send={register}
    question="Already have an account?"
    other={{ to: '/login', name: 'Sign in' }}
  />
)
