import { useRef, useState, type PointerEvent } from 'react'

const SWIPE_PX = 50
// A player's own controls are at its bottom, and are drawn along too.
const CONTROLS_PX = 80

const startsOnControls = ({ target, clientY }: PointerEvent): boolean =>
  target instanceof HTMLVideoElement && clientY > target.getBoundingClientRect().bottom - CONTROLS_PX

/** Follows a finger, and calls `go` when it has gone far enough to one side. */
export const useSwipe = (go: (step: 1 | -1) => void) => {
  const start = useRef<{ x: number; y: number }>(undefined)
  const [moved, setMoved] = useState(0)
  const end = (): void => {
    start.current = undefined
    setMoved(0)
  }
  return {
    moved,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.pointerType !== 'touch' || !event.isPrimary || startsOnControls(event)) end()
        else start.current = { x: event.clientX, y: event.clientY }
      },
      onPointerMove: ({ clientX, isPrimary }: PointerEvent) => {
        if (start.current && isPrimary) setMoved(clientX - start.current.x)
      },
      onPointerUp: ({ clientX, clientY }: PointerEvent) => {
        const x = clientX - (start.current?.x ?? clientX)
        const y = clientY - (start.current?.y ?? clientY)
        if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > Math.abs(y)) go(x < 0 ? 1 : -1)
        end()
      },
      onPointerCancel: end,
    },
  }
}
