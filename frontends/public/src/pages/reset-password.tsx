import { SetPasswordForm } from '../features/account/set-password-form.tsx'

export const ResetPassword = () => (
  <SetPasswordForm
    title="Set a new password"
    subtitle="You will be signed out on all devices."
    submitLabel="Set Password"
    path="/api/auth/reset-password"
    invalidLink={{
      text: 'It has been used, has expired, or was replaced by a newer one.',
      to: '/forgot-password',
      name: 'Send a new link',
    }}
  />
)
