import { useRef, useState, useSyncExternalStore, type PointerEvent, type ReactNode } from 'react'
import styles from './large-view.module.css'
import { LargeMedium, type Medium } from './medium.tsx'

interface Point {
  x: number
  y: number
}

/** How much a picture is enlarged, and how far it is moved from the middle, in px. */
export interface View extends Point {
  scale: number
}
const whole: View = { scale: 1, x: 0, y: 0 }

const MAX_SCALE = 5
// Less is the whole picture: nobody would see why it cannot be swiped.
const MIN_SCALE = 1.05
const DOUBLE_TAP_SCALE = 2.5
const SWIPE_PX = 50
const MAX_TAP_PX = 10
const MAX_DOUBLE_TAP_PX = 40
const MAX_DOUBLE_TAP_MS = 300
// The controls at the bottom of a video player are dragged as well.
const VIDEO_CONTROLS_PX = 80

const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value))
const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y)
const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })

/** Enlarges a view to `scale`. What was seen at `from` is at `to` then; both are counted from the middle of the area. */
export const zoom = (view: View, scale: number, from: Point, to: Point): View => {
  const newScale = Math.min(MAX_SCALE, scale)
  if (newScale <= 1) return whole
  const factor = newScale / view.scale
  return { scale: newScale, x: to.x - (from.x - view.x) * factor, y: to.y - (from.y - view.y) * factor }
}

interface Size {
  width: number
  height: number
}

/** Moves a picture back to where it fills the area, or has its middle in the middle where it is smaller. */
export const keepInside = (view: View, area: Size, picture: Partial<Size> = {}): View => {
  const { width = area.width, height = area.height } = picture
  const fit = Math.min(1, area.width / width, area.height / height)
  return {
    scale: view.scale,
    x: clamp(view.x, Math.max(0, (width * fit * view.scale - area.width) / 2)),
    y: clamp(view.y, Math.max(0, (height * fit * view.scale - area.height) / 2)),
  }
}

interface Gesture {
  /** What was seen when the last finger came or went, and where the fingers were. */
  view: View
  points: readonly Point[]
  /** Whether it may end as a swipe: one finger, from the beginning. */
  canSwipe: boolean
  canTap: boolean
}

const isOnVideoControls = ({ target, clientY }: PointerEvent): boolean =>
  target instanceof HTMLVideoElement && clientY > target.getBoundingClientRect().bottom - VIDEO_CONTROLS_PX

// After a pinch back it may be a little more than 1.
const isPageZoomed = (): boolean => (window.visualViewport?.scale ?? 1) > 1.01

const subscribeToPageZoom = (listener: () => void): (() => void) => {
  window.visualViewport?.addEventListener('resize', listener)
  return () => window.visualViewport?.removeEventListener('resize', listener)
}

interface Props {
  /** Nothing is shown but `children`, if it is undefined. */
  medium: Medium | undefined
  /** Called with 1 for a swipe to the left, and with -1 for one to the right. */
  onSwipe: (step: 1 | -1) => void
  onLinkFailed: () => void
  className?: string | undefined
  /** Whether it is in a page that a finger scrolls. */
  isInPage?: boolean
  /** Over the medium, which has been moved by `offsetPx` so far. */
  children?: (offsetPx: number) => ReactNode
}

/**
 * A medium as large as its space allows. A finger swipes it; two fingers or a double tap enlarge a picture, and a drag then
 * moves it and does not swipe. While the browser has enlarged the whole page, all of this is left to the browser. For
 * another medium it needs another `key`.
 */
export const LargeView = ({
  medium,
  onSwipe,
  onLinkFailed,
  className = '',
  isInPage = false,
  children,
}: Props) => {
  const area = useRef<HTMLDivElement>(null)
  const pointers = useRef(new Map<number, Point>())
  const gesture = useRef<Gesture>(undefined)
  const lastTap = useRef<Point & { at: number }>(undefined)
  const lastView = useRef(whole)
  const [view, setView] = useState(whole)
  const [isHeld, setIsHeld] = useState(false)
  const canZoom = medium !== undefined && !medium.video
  const isLeftToBrowser = useSyncExternalStore(subscribeToPageZoom, isPageZoomed)

  const change = (next: View): void => {
    lastView.current = next
    setView(next)
  }
  const settle = (next: View): void => {
    const box = area.current?.getBoundingClientRect()
    change(box && next.scale > MIN_SCALE ? keepInside(next, box, medium) : whole)
  }
  const locate = ({ clientX, clientY }: PointerEvent): Point => {
    const { left = 0, top = 0, width = 0, height = 0 } = area.current?.getBoundingClientRect() ?? {}
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }
  const begin = (can: Pick<Gesture, 'canSwipe' | 'canTap'>): void => {
    gesture.current = { view: lastView.current, points: [...pointers.current.values()], ...can }
  }
  const end = (): void => {
    pointers.current.clear()
    gesture.current = undefined
    setIsHeld(false)
    settle(lastView.current)
  }

  const handleDown = (event: PointerEvent): void => {
    const isTouch = event.pointerType === 'touch'
    if (isPageZoomed() || isOnVideoControls(event) || (!canZoom && pointers.current.size > 0)) {
      end()
      return
    }
    if (pointers.current.size === 2 || (!isTouch && event.button !== 0)) return
    const isFirst = pointers.current.size === 0
    pointers.current.set(event.pointerId, locate(event))
    begin({ canSwipe: isFirst && isTouch, canTap: isFirst && canZoom })
    setIsHeld(true)
  }
  const handleMove = (event: PointerEvent): void => {
    if (!gesture.current || !pointers.current.has(event.pointerId)) return
    // Its button was released where no event told of it, such as in a context menu.
    if (event.pointerType === 'mouse' && event.buttons === 0) {
      end()
      return
    }
    pointers.current.set(event.pointerId, locate(event))
    const { view: start, points, canSwipe } = gesture.current
    const [from, otherFrom] = points
    const [to, otherTo] = [...pointers.current.values()]
    if (!from || !to) return
    if (otherFrom && otherTo) {
      const scale = (start.scale * distance(to, otherTo)) / Math.max(1, distance(from, otherFrom))
      change(zoom(start, scale, middle(from, otherFrom), middle(to, otherTo)))
    } else if (start.scale > 1) settle({ ...start, x: start.x + to.x - from.x, y: start.y + to.y - from.y })
    else if (canSwipe) change({ ...whole, x: to.x - from.x })
  }
  const handleTap = (at: Point, timeStamp: number): void => {
    const previous = lastTap.current
    const isDouble =
      previous && timeStamp - previous.at < MAX_DOUBLE_TAP_MS && distance(previous, at) < MAX_DOUBLE_TAP_PX
    lastTap.current = isDouble ? undefined : { ...at, at: timeStamp }
    if (isDouble) settle(lastView.current.scale > 1 ? whole : zoom(whole, DOUBLE_TAP_SCALE, at, at))
  }
  const handleUp = (event: PointerEvent): void => {
    if (!gesture.current || !pointers.current.has(event.pointerId)) return
    const { view: start, points, canSwipe, canTap } = gesture.current
    pointers.current.delete(event.pointerId)
    if (pointers.current.size > 0) {
      // The finger that is left of two moves the picture.
      begin({ canSwipe: false, canTap: false })
      return
    }
    end()
    const to = locate(event)
    const from = points[0] ?? to
    const [x, y] = [to.x - from.x, to.y - from.y]
    if (canTap && distance(from, to) < MAX_TAP_PX) handleTap(to, event.timeStamp)
    else if (canSwipe && start.scale === 1 && Math.abs(x) >= SWIPE_PX && Math.abs(x) > Math.abs(y))
      onSwipe(x < 0 ? 1 : -1)
  }

  const handleLost = ({ pointerId }: PointerEvent): void => {
    if (pointers.current.has(pointerId)) end()
  }

  const { scale, x, y } = view
  const ownTouchAction = isInPage && scale === 1 ? 'pan-y' : 'none'
  const touchAction = isLeftToBrowser ? 'auto' : canZoom ? ownTouchAction : 'pan-y pinch-zoom'
  return (
    <div
      ref={area}
      className={`${styles.area} ${className}`}
      style={{ touchAction }}
      onPointerDown={handleDown}
      onPointerMove={handleMove}
      onPointerUp={handleUp}
      onPointerCancel={handleLost}
      onPointerLeave={handleLost}
    >
      <div
        className={`${styles.large} ${isHeld ? '' : styles.settling}`}
        style={view === whole ? undefined : { transform: `translate(${x}px, ${y}px) scale(${scale})` }}
      >
        {medium && <LargeMedium medium={medium} onLinkFailed={onLinkFailed} />}
      </div>
      {children?.(scale === 1 ? x : 0)}
    </div>
  )
}
