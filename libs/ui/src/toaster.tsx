import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { resolveValue, toast, useToaster, type Toast } from 'react-hot-toast/headless'
import styles from './toaster.module.css'

const DURATION_MS = 5_000
const REMOVE_DELAY_MS = 1_000_000
const SWIPE_PX = 50

const options = { duration: DURATION_MS, removeDelay: REMOVE_DELAY_MS }

const Notice = ({ notice, onLeave }: { notice: Toast; onLeave: () => void }) => {
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
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Notifications (F8)"
      className={styles.region}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
    >
      {latest && <Notice key={latest.id} notice={latest} onLeave={() => toast.dismiss(latest.id)} />}
    </section>
  )
}
