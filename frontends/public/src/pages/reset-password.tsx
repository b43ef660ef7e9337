import { useText } from '../owner-texts.ts'
import { SetPasswordForm } from '../features/account/set-password-form.tsx'

export const ResetPassword = () => {
  const t = useText()
  return (
    <SetPasswordForm
      title={t('account.reset')}
      subtitle={t('account.reset.text')}
      submitLabel={t('account.reset.submit')}
      successMessage={t('account.reset.done')}
      path="/api/auth/reset-password"
      invalidLink={{
        text: t('account.reset.invalid'),
        to: '/forgot-password',
        name: t('account.reset.newLink'),
      }}
    />
  )
}
