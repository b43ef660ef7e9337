import { useState } from 'react'
import { signOutEverywhere } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { getFailureText } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText, useText } from '../../owner-texts.ts'
import styles from './account-page.module.css'

/** Ends all sessions of the signed-in user, after a confirmation. */
export const SignOutEverywhere = () => {
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
