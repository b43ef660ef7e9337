import { useRef, useState, useSyncExternalStore, type PointerEvent } from 'react'

const SWIPE_PX = 50
// The controls at the bottom of a video player are dragged as well.
const CONTROLS_PX = 80

const startsOnControls = ({ target, clientY }: PointerEvent): boolean =>
  target instanceof HTMLVideoElement && clientY > target.getBoundingClientRect().bottom - CONTROLS_PX

// After a pinch back it may be a little more than 1.
const isZoomed = (): boolean => (window.visualViewport?.scale ?? 1) > 1.01

const subscribeToZoom = (listener: () => void): (() => void) => {
  window.visualViewport?.addEventListener('resize', listener)
  return () => window.visualViewport?.removeEventListener('resize', listener)
}

/**
 * Tracks a horizontal swipe. Calls `onSwipe` with 1 for a swipe to the left and -1 for one to the right. While the page is
 * zoomed, a finger moves what is seen of it instead.
 */
export const useSwipe = (onSwipe: (step: 1 | -1) => void) => {
  const start = useRef<{ x: number; y: number }>(undefined)
  const [offsetPx, setOffsetPx] = useState(0)
  const touchAction = useSyncExternalStore(subscribeToZoom, isZoomed) ? 'auto' : 'pan-y pinch-zoom'
  const end = (): void => {
    start.current = undefined
    setOffsetPx(0)
  }
  return {
    offsetPx,
    /** Props of the element that is swiped. */
    area: {
      style: { touchAction },
      onPointerDown: (event: PointerEvent) => {
        if (event.pointerType !== 'touch' || !event.isPrimary || isZoomed() || startsOnControls(event)) end()
        else start.current = { x: event.clientX, y: event.clientY }
      },
      onPointerMove: ({ clientX, isPrimary }: PointerEvent) => {
        if (start.current && isPrimary) setOffsetPx(clientX - start.current.x)
      },
      onPointerUp: ({ clientX, clientY }: PointerEvent) => {
        const x = clientX - (start.current?.x ?? clientX)
        const y = clientY - (start.current?.y ?? clientY)
        if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
        end()
      },
      onPointerCancel: end,
    },
  }
}
