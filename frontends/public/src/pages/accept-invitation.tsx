import { SetPasswordForm } from '../features/account/set-password-form.tsx'

export const AcceptInvitation = () => (
  <SetPasswordForm
    title="Welcome!"
    subtitle="Set a password for your new account."
    submitLabel="Create Account"
    path="/api/auth/accept-invitation"
    invalidLink={{
      text: 'It has been used, has expired, or was replaced by a newer one. If you have not set a password yet, please ask an admin to invite you again.',
    }}
  />
)
