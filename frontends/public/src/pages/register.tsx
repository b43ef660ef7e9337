import { register } from '@confetti/session'
import { AccountForm } from '../features/account/account-form.tsx'
import { AccountNotice } from '../features/account/account-notice.tsx'
import { useAuthSettings } from '../features/account/use-auth-settings.ts'
import { SendingNotice } from '../features/upload/sending-notice.tsx'

export const Register = () => {
  const settings = useAuthSettings()
  return (
    <>
      {settings?.registration === 'invitation' ? (
        <AccountNotice title="By invitation only">
          <p>Accounts are created by invitation. Please ask an admin to invite you.</p>
        </AccountNotice>
      ) : (
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
      )}
      <SendingNotice />
    </>
  )
}
