import { useState } from 'react'
import { getErrorMessage } from '@confetti/api-client'
import { signOutEverywhere } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { notify, notifyError } from '@confetti/ui/notify'
import styles from './account-page.module.css'

/** Ends all sessions of the signed-in user, after a confirmation. */
export const SignOutEverywhere = () => {
  const [isAsking, setIsAsking] = useState(false)
  const [busy, setBusy] = useState(false)

  const confirm = async (): Promise<void> => {
    setBusy(true)
    try {
      await signOutEverywhere()
      notify({ title: 'Success', message: 'Signed out on all devices' })
    } catch (error) {
      notifyError(getErrorMessage(error))
      setIsAsking(false)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card as="section" aria-labelledby="sign-out-everywhere" className={styles.card}>
      <h2 id="sign-out-everywhere">Sign out everywhere</h2>
      <p className={styles.text}>
        Ends your sessions on all devices, this one included. Other devices notice it within a minute.
      </p>
      <Button variant="outline" className={styles.action} onClick={() => setIsAsking(true)}>
        Sign Out Everywhere
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Sign out everywhere?"
        text="You have to sign in again on each device."
        confirmLabel="Sign Out"
        busy={busy}
        onConfirm={() => void confirm()}
        onCancel={() => setIsAsking(false)}
      />
    </Card>
  )
}
