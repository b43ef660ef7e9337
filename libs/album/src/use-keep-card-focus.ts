import { useLayoutEffect, useRef } from 'react'

/**
 * Moves the focus to the card at `index` when the control with the focus is removed, because its upload was deleted or
 * selection mode has started or ended. Returns handlers for the element around the cards. `index` is undefined if there
 * are no cards or none has had the focus.
 */
export const useKeepCardFocus = (index: number | undefined, focusAt: (index: number) => void) => {
  const hasFocus = useRef(false)

  // Before the focus goes to the part of the page around the gallery.
  useLayoutEffect(() => {
    if (!hasFocus.current || index === undefined || document.activeElement !== document.body) return
    hasFocus.current = false
    focusAt(index)
  })

  return {
    onFocus: (): void => {
      hasFocus.current = true
    },
    // React does not emit a blur event for an element that it removes.
    onBlur: (): void => {
      hasFocus.current = false
    },
  }
}
