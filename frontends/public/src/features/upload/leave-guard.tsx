import { useEffect, useId, useRef } from 'react'
import { Button } from '@confetti/ui/button'
import styles from './leave-guard.module.css'

const LEAVE = 'leave'

const isGuarded = (): boolean => (history.state as { guarded?: boolean } | null)?.guarded === true

/**
 * While it is there, leaving asks first: the browser before the page goes, and this before Back. The router cannot be
 * kept from following Back, so the page stands twice in the tab's history, and Back only leads from one to the other.
 */
export const LeaveGuard = () => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const here = location.href
    if (!isGuarded()) history.pushState({ ...(history.state as object | null), guarded: true }, '')

    const ask = (): void => {
      if (location.href !== here || isGuarded() || !dialog.current || dialog.current.open) return
      dialog.current.returnValue = ''
      dialog.current.showModal()
    }
    const warn = (event: BeforeUnloadEvent): void => {
      event.preventDefault()
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- Chrome before 119 heeds this alone.
      event.returnValue = true
    }
    window.addEventListener('popstate', ask)
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('popstate', ask)
      window.removeEventListener('beforeunload', warn)
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      onClose={({ currentTarget }) => {
        if (currentTarget.returnValue === LEAVE) history.back()
        else history.forward()
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
