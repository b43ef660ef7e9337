import { register } from '@confetti/session'
import { AccountForm } from '../features/account/account-form.tsx'
import { SendingNotice } from '../features/upload/sending-notice.tsx'

export const Register = () => (
  <>
    <AccountForm
      title="Create an account"
      subtitle="Enter your details to get started"
      submitLabel="Create Account"
      successMessage="Account created successfully"
      passwordAutoComplete="new-password"
      onSubmit={register}
      otherFormQuestion="Already have an account?"
      otherFormLink={{ to: '/login', name: 'Sign in' }}
    />
    <SendingNotice />
  </>
)
