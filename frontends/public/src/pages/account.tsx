import { useState } from 'react'
import { changePassword, signOutEverywhere, useSession } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { getFailureText } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import styles from './account.module.css'
import { PasswordField, useAccountForm } from '../features/account/account-form.tsx'
import { getText, useText } from '../owner-texts.ts'

/** Changes the password of the signed-in user. */
const ChangePasswordForm = ({ email }: { email: string }) => {
  const t = useText()
  const { form, busy, errors, clear, handleSubmit } = useAccountForm<'currentPassword' | 'newPassword'>(
    async (passwords) => {
      await changePassword(passwords)
      notify({ title: getText('account.changed'), message: getText('account.changed.text') })
    },
  )

  return (
    <Card as="section" aria-labelledby="change-password" className={styles.card}>
      <h2 id="change-password">{t('account.change')}</h2>
      <form ref={form} className={styles.form} onSubmit={handleSubmit}>
        {/* For password managers. */}
        <input hidden readOnly type="email" autoComplete="username" value={email} />
        <PasswordField
          kind="current"
          name="currentPassword"
          autoComplete="current-password"
          error={errors.currentPassword}
          onChange={() => clear('currentPassword')}
        />
        <PasswordField
          kind="new"
          name="newPassword"
          autoComplete="new-password"
          error={errors.newPassword}
          onChange={() => clear('newPassword')}
        />
        <Button type="submit" className={styles.action} aria-disabled={busy}>
          {busy ? t('common.loading') : t('account.change.submit')}
        </Button>
      </form>
    </Card>
  )
}

/** Ends all sessions of the signed-in user, after a confirmation. */
const SignOutEverywhere = () => {
  const t = useText()
  const [isAsking, setIsAsking] = useState(false)
  const [busy, setBusy] = useState(false)

  const confirm = async (): Promise<void> => {
    setBusy(true)
    try {
      await signOutEverywhere()
      notify({ title: getText('account.success'), message: getText('account.signedOut') })
    } catch (error) {
      notifyError(getFailureText(error))
      setIsAsking(false)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card as="section" aria-labelledby="sign-out-everywhere" className={styles.card}>
      <h2 id="sign-out-everywhere">{t('account.signOut')}</h2>
      <p className={styles.text}>{t('account.signOut.text')}</p>
      <Button variant="outline" className={styles.action} onClick={() => setIsAsking(true)}>
        {t('account.signOut.submit')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('account.signOut.title')}
        text={t('account.signOut.question')}
        confirmLabel={t('account.signOut.confirm')}
        busy={busy}
        onConfirm={() => void confirm()}
        onCancel={() => setIsAsking(false)}
      />
    </Card>
  )
}

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
