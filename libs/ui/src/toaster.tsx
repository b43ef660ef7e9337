import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react'
import { resolveValue, toast, useToaster, type Toast } from 'react-hot-toast/headless'
import styles from './toaster.module.css'

const DURATION_MS = 5_000
const REMOVE_DELAY_MS = 1_000_000
const SWIPE_PX = 50

const options = { duration: DURATION_MS, removeDelay: REMOVE_DELAY_MS }

const Notice = ({ notice, onLeave }: { notice: Toast; onLeave: (event?: MouseEvent) => void }) => {
  const start = useRef<number>(undefined)
  const [moved, setMoved] = useState(0)

  const distance = ({ clientX }: PointerEvent): number =>
    start.current === undefined ? 0 : Math.max(0, clientX - start.current)
  const release = (event: PointerEvent): void => {
    const swiped = distance(event) >= SWIPE_PX
    start.current = undefined
    setMoved(0)
    if (swiped) onLeave()
  }

  return (
    <div
      {...notice.ariaProps}
      className={`${styles.toast} ${notice.type === 'error' ? styles.bad : ''}`}
      style={moved ? { transform: `translateX(${moved}px)`, opacity: 1 - moved / 200 } : undefined}
      onPointerDown={(event) => {
        start.current = event.clientX
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => setMoved(distance(event))}
      onPointerUp={release}
      onPointerCancel={() => {
        start.current = undefined
        setMoved(0)
      }}
    >
      <div className={styles.text}>{resolveValue(notice.message, notice)}</div>
      <button
        type="button"
        className={styles.close}
        aria-label="Close"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={onLeave}
      >
        ×
      </button>
    </div>
  )
}

/** The one place where notices appear: one at a time, for five seconds; F8 goes there, a swipe to the right closes. */
export const Toaster = () => {
  const { toasts, handlers } = useToaster(options)
  const region = useRef<HTMLElement>(null)
  const cameFrom = useRef<HTMLElement>(null)

  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== 'F8') return
      event.preventDefault()
      region.current?.focus()
    }
    window.addEventListener('keydown', focus)
    return () => window.removeEventListener('keydown', focus)
  }, [])

  const latest = toasts.find(({ visible }) => visible)

  // What is taken away under the finger or the focus sends no event: the next notice would wait for ever.
  const endPause = useRef(handlers.endPause)
  useEffect(() => {
    endPause.current = handlers.endPause
  })
  useEffect(() => endPause.current(), [latest?.id])

  const leave = (id: string, event?: MouseEvent): void => {
    toast.dismiss(id)
    // Closed by the keyboard, which goes on where it was before.
    if (event?.detail === 0) cameFrom.current?.focus()
  }

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Notifications (F8)"
      className={styles.region}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={({ currentTarget, relatedTarget }) => {
        handlers.startPause()
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
          cameFrom.current = relatedTarget
      }}
      onBlur={handlers.endPause}
    >
      {latest && <Notice key={latest.id} notice={latest} onLeave={(event) => leave(latest.id, event)} />}
    </section>
  )
}
