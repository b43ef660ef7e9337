import { useSession } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { useText } from '../owner-texts.ts'
import { ChangePasswordForm } from '../features/account/change-password-form.tsx'
import { SignOutEverywhere } from '../features/account/sign-out-everywhere.tsx'
import styles from '../features/account/account-page.module.css'

export const Account = () => {
  const t = useText()
  const user = useSession((session) => session.user)
  if (!user) return null
  return (
    <Page
      title={t('tab.account')}
      lead={<span className={styles.lead}>{t('account.lead', { email: user.email })}</span>}
    >
      <div className={styles.cards}>
        <ChangePasswordForm email={user.email} />
        <SignOutEverywhere />
      </div>
    </Page>
  )
}
