import { useEffect, useId, useRef } from 'react'
import { useNavigate } from '@confetti/federation/router'
import { Button } from '@confetti/ui/button'
import styles from './leave-guard.module.css'

const LEAVE = 'leave'
/** Going back does nothing, and says nothing, in the tab that a QR code opened; this long it may take to begin. */
const NOWHERE_MS = 500

const isGuarded = (): boolean => (history.state as { guarded?: boolean } | null)?.guarded === true

/**
 * While it is there, leaving asks first: the browser before the page goes, and this before Back. The router cannot be
 * kept from following Back, so the page stands twice in the tab's history, and Back only leads from one to the other.
 * Who leaves goes back, or where there is nothing to go back to, to the start page: there, sending goes on.
 */
export const LeaveGuard = () => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const navigate = useNavigate()

  useEffect(() => {
    const here = location.href
    if (!isGuarded()) history.pushState({ ...(history.state as object | null), guarded: true }, '')

    const ask = (): void => {
      if (location.href !== here || isGuarded() || !dialog.current || dialog.current.open) return
      // Before this page stood the same one.
      if (leaving.current) return void navigate('/')
      dialog.current.returnValue = ''
      dialog.current.showModal()
    }
    const left = (): void => {
      clearTimeout(leaving.current)
      leaving.current = undefined
    }
    const warn = (event: BeforeUnloadEvent): void => {
      // Who has said 'Leave' is not asked again.
      if (leaving.current) {
        left()
        return
      }
      event.preventDefault()
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- Chrome before 119 heeds this alone.
      event.returnValue = true
    }
    window.addEventListener('popstate', ask)
    window.addEventListener('beforeunload', warn)
    window.addEventListener('pagehide', left)
    return () => {
      window.removeEventListener('popstate', ask)
      window.removeEventListener('beforeunload', warn)
      window.removeEventListener('pagehide', left)
      left()
    }
  }, [navigate])

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      onClose={({ currentTarget }) => {
        if (currentTarget.returnValue === LEAVE) {
          leaving.current = setTimeout(() => void navigate('/'), NOWHERE_MS)
          history.back()
        } else history.forward()
      }}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <h2 id={`${id}-title`}>Leave while files are being sent?</h2>
      <p id={`${id}-text`} className={styles.text}>
        They go on only as long as this tab stays open.
      </p>
      <div className={styles.actions}>
        <Button onClick={() => dialog.current?.close()}>Stay</Button>
        <Button look="line" onClick={() => dialog.current?.close(LEAVE)}>
          Leave
        </Button>
      </div>
    </dialog>
  )
}
