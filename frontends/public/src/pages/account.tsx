import { useSession } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { ChangePasswordForm } from '../features/account/change-password-form.tsx'
import { SignOutEverywhere } from '../features/account/sign-out-everywhere.tsx'
import styles from '../features/account/account-page.module.css'

export const Account = () => {
  const user = useSession((session) => session.user)
  if (!user) return null
  return (
    <Page title="Account" lead={<span className={styles.lead}>Signed in as {user.email}</span>}>
      <div className={styles.cards}>
        <ChangePasswordForm email={user.email} />
        <SignOutEverywhere />
      </div>
    </Page>
  )
}
