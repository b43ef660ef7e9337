import { useId, useLayoutEffect, useRef } from 'react'
import { useNavigate } from '@confetti/federation/router'
import { Button } from '@confetti/ui/button'
import { useText } from '../../texts.ts'
import styles from './leave-guard.module.css'

const LEAVE = 'leave'
/** How long to wait for Back. It has no effect, and emits no event, in a tab that was opened by a QR code. */
const BACK_TIMEOUT_MS = 500

const isGuardEntry = (): boolean => (history.state as { guarded?: boolean } | null)?.guarded === true

/**
 * Asks for confirmation before the guest goes back while files are being sent. The router cannot block Back, so the guard
 * adds a second history entry for the same page, and Back only leads to the first one. After 'Leave' it goes back again,
 * or to the start page if there is no previous page. Sending continues there, if it is a page of this site.
 */
export const LeaveGuard = () => {
  const t = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  /** Runs after 'Leave' was pressed, until the page is left. */
  const leaveTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const navigate = useNavigate()

  useLayoutEffect(() => {
    const guardedUrl = location.href
    if (!isGuardEntry()) history.pushState({ ...(history.state as object | null), guarded: true }, '')

    const stopLeaving = (): void => {
      clearTimeout(leaveTimer.current)
      leaveTimer.current = undefined
    }
    const handlePopState = (): void => {
      if (location.href !== guardedUrl) {
        // The page that the guest has gone back to may need longer than the timer.
        stopLeaving()
        return
      }
      if (isGuardEntry() || !dialog.current || dialog.current.open) return
      // The previous history entry is the same page, so Back would not leave it.
      if (leaveTimer.current) return void navigate('/')
      dialog.current.returnValue = ''
      dialog.current.showModal()
    }
    // The guest has already confirmed with 'Leave', so the guard of the queue does not ask again.
    const skipUnloadGuard = (event: BeforeUnloadEvent): void => {
      if (!leaveTimer.current) return
      stopLeaving()
      event.stopImmediatePropagation()
    }
    window.addEventListener('popstate', handlePopState)
    window.addEventListener('beforeunload', skipUnloadGuard, { capture: true })
    window.addEventListener('pagehide', stopLeaving)
    return () => {
      window.removeEventListener('popstate', handlePopState)
      window.removeEventListener('beforeunload', skipUnloadGuard, { capture: true })
      window.removeEventListener('pagehide', stopLeaving)
      stopLeaving()
    }
  }, [navigate])

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      onClose={({ currentTarget }) => {
        if (currentTarget.returnValue === LEAVE) {
          leaveTimer.current = setTimeout(() => void navigate('/'), BACK_TIMEOUT_MS)
          history.back()
        } else history.forward()
      }}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <h2 id={`${id}-title`}>{t('upload.leave.title')}</h2>
      <p id={`${id}-text`} className={styles.text}>
        {t('upload.leave.text')}
      </p>
      <div className={styles.actions}>
        <Button onClick={() => dialog.current?.close()}>{t('upload.leave.stay')}</Button>
        <Button variant="outline" onClick={() => dialog.current?.close(LEAVE)}>
          {t('upload.leave.leave')}
        </Button>
      </div>
    </dialog>
  )
}
