import { useText } from '../owner-texts.ts'
import { SetPasswordForm } from '../features/account/set-password-form.tsx'

export const AcceptInvitation = () => {
  const t = useText()
  return (
    <SetPasswordForm
      title={t('account.accept')}
      subtitle={t('account.accept.text')}
      submitLabel={t('account.register.submit')}
      successMessage={t('account.accept.done')}
      path="/api/auth/accept-invitation"
      invalidLink={{ text: t('account.accept.invalid') }}
    />
  )
}
