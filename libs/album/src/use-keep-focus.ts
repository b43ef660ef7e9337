import { useLayoutEffect, useRef } from 'react'
import type { Upload } from '@confetti/contracts'

/** The upload whose card has the focus, and its index in the list. */
export interface FocusedUpload {
  id: string
  index: number
}

/** Moves the focus to the card that takes the index of the focused one when that is removed from the list. */
export const useKeepFocus = (
  uploads: readonly Upload[],
  focused: FocusedUpload | undefined,
  focusAt: (index: number) => void,
): void => {
  const previous = useRef(uploads)
  // Before the focus goes to the part of the page around the gallery.
  useLayoutEffect(() => {
    const includesFocused = (list: readonly Upload[]): boolean => list.some(({ _id }) => _id === focused?.id)
    const isRemoved = includesFocused(previous.current) && !includesFocused(uploads)
    previous.current = uploads
    if (focused && isRemoved && uploads.length > 0 && document.activeElement === document.body)
      focusAt(Math.min(focused.index, uploads.length - 1))
  }, [uploads, focused, focusAt])
}
