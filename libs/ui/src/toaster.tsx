import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react'
import { resolveValue, toast, useToaster, type Toast } from 'react-hot-toast/headless'
import { useText } from './texts.ts'
import styles from './toaster.module.css'

const DURATION_MS = 5_000
const REMOVE_DELAY_MS = 1_000_000
const SWIPE_THRESHOLD_PX = 50

const options = { duration: DURATION_MS, removeDelay: REMOVE_DELAY_MS }

// Screen readers announce a text only if its live region was in the page before it. `alert` interrupts them.
const liveRegions = ['status', 'alert'] as const

const liveRegionOf = ({ type }: Toast): (typeof liveRegions)[number] =>
  type === 'error' ? 'alert' : 'status'

interface ToastItemProps {
  item: Toast
  /** `event` is missing when the toast is swiped away. */
  onDismiss: (event?: MouseEvent) => void
}

const ToastItem = ({ item, onDismiss }: ToastItemProps) => {
  const t = useText()
  const startX = useRef<number>(undefined)
  const [offset, setOffset] = useState(0)

  const getOffset = ({ clientX }: PointerEvent): number =>
    startX.current === undefined ? 0 : Math.max(0, clientX - startX.current)
  const endSwipe = (event: PointerEvent): void => {
    const swiped = getOffset(event) >= SWIPE_THRESHOLD_PX
    startX.current = undefined
    setOffset(0)
    if (swiped) onDismiss()
  }

  return (
    <div
      className={`${styles.toast} ${item.type === 'error' ? styles.destructive : ''}`}
      style={offset ? { transform: `translateX(${offset}px)`, opacity: 1 - offset / 200 } : undefined}
      onPointerDown={(event) => {
        startX.current = event.clientX
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => setOffset(getOffset(event))}
      onPointerUp={endSwipe}
      onPointerCancel={() => {
        startX.current = undefined
        setOffset(0)
      }}
    >
      <div className={styles.text}>{resolveValue(item.message, item)}</div>
      <button
        type="button"
        className={styles.close}
        aria-label={t('common.close')}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={onDismiss}
      >
        ×
      </button>
    </div>
  )
}

/**
 * The region where toasts appear: one at a time, for five seconds. F8 focuses it, and a swipe to the right dismisses
 * the toast.
 */
export const Toaster = () => {
  const t = useText()
  const { toasts, handlers } = useToaster(options)
  const region = useRef<HTMLElement>(null)
  const previousFocus = useRef<HTMLElement>(null)

  useEffect(() => {
    const focusRegion = (event: KeyboardEvent): void => {
      if (event.key !== 'F8') return
      event.preventDefault()
      region.current?.focus()
    }
    window.addEventListener('keydown', focusRegion)
    return () => window.removeEventListener('keydown', focusRegion)
  }, [])

  const latest = toasts.find(({ visible }) => visible)

  // A toast that is removed under the pointer or the focus emits no leave event, so the pause is ended here. Otherwise
  // the next toast would stay forever.
  const endPause = useRef(handlers.endPause)
  useEffect(() => {
    endPause.current = handlers.endPause
  })
  useEffect(() => endPause.current(), [latest?.id])

  const dismiss = (id: string, event?: MouseEvent): void => {
    toast.dismiss(id)
    // `detail` is 0 for a click by the keyboard.
    if (event?.detail === 0) previousFocus.current?.focus()
  }

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t('common.notifications')}
      className={styles.region}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={({ currentTarget, relatedTarget }) => {
        handlers.startPause()
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
          previousFocus.current = relatedTarget
      }}
      onBlur={handlers.endPause}
    >
      {liveRegions.map((role) => (
        <div key={role} role={role}>
          {latest && liveRegionOf(latest) === role && (
            <ToastItem key={latest.id} item={latest} onDismiss={(event) => dismiss(latest.id, event)} />
          )}
        </div>
      ))}
    </section>
  )
}
