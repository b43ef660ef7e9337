import { useEffect, useRef } from 'react'
import type { Upload } from '@confetti/contracts'

/** Which upload has the focus in its card, and where in the list that is. */
export interface Place {
  id: string
  index: number
}

/** When the card with the focus goes away, the focus stays at its place. */
export const useFocusStays = (
  uploads: readonly Upload[],
  focused: Place | undefined,
  focusAt: (index: number) => void,
): void => {
  const before = useRef(uploads)
  useEffect(() => {
    const has = (list: readonly Upload[]): boolean => list.some(({ _id }) => _id === focused?.id)
    const gone = has(before.current) && !has(uploads)
    before.current = uploads
    if (focused && gone && uploads.length > 0 && document.activeElement === document.body)
      focusAt(Math.min(focused.index, uploads.length - 1))
  }, [uploads, focused, focusAt])
}
