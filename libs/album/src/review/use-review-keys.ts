import { useLayoutEffect } from 'react'
import type { Review } from './use-review.ts'

const typesText = (element: EventTarget | null): boolean =>
  element instanceof Element && element.matches('input, textarea, select, [contenteditable]')

/** Handles A, H, D and Z, unless the focus is in a field or an open dialog. */
export const useReviewKeys = ({ decide, undo }: Review): void => {
  // Before the screen shows what a key would act on: a listener from before would lose it.
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      const { altKey, ctrlKey, metaKey, repeat, target, defaultPrevented } = event
      if (altKey || ctrlKey || metaKey || repeat || defaultPrevented || typesText(target)) return
      if (document.querySelector('[role=dialog], dialog[open]')) return
      const actions: Partial<Record<string, () => void>> = {
        a: () => decide('approve'),
        h: () => decide('hide'),
        d: () => decide('delete'),
        z: undo,
      }
      const action = actions[event.key.toLowerCase()]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [decide, undo])
}
