import { register } from '@confetti/session'
import { useText } from '../owner-texts.ts'
import { AccountForm } from '../features/account/account-form.tsx'
import { AccountNotice } from '../features/account/account-notice.tsx'
import { useAuthSettings } from '../features/account/use-auth-settings.ts'
import { SendingNotice } from '../features/upload/sending-notice.tsx'

export const Register = () => {
  const t = useText()
  const settings = useAuthSettings()
  return (
    <>
      {settings?.registration === 'invitation' ? (
        <AccountNotice title={t('account.invitationOnly')}>
          <p>{t('account.invitationOnly.text')}</p>
        </AccountNotice>
      ) : (
        <AccountForm
          title={t('account.register')}
          subtitle={t('account.register.text')}
          submitLabel={t('account.register.submit')}
          successMessage={t('account.register.done')}
          passwordAutoComplete="new-password"
          onSubmit={register}
          otherFormQuestion={t('account.register.question')}
          otherFormLink={{ to: '/login', name: t('account.signIn.link') }}
        />
      )}
      <SendingNotice />
    </>
  )
}
