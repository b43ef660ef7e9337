import { useLayoutEffect } from 'react'

interface Options {
  onSelectAll: () => void
  onEscape: () => void
}

/** Whether an element has its own use for Ctrl+A or Escape. */
const usesKeys = (element: EventTarget | null): boolean =>
  element instanceof Element && element.matches('select, textarea, input:not([type=radio])')

/** Handles Ctrl+A, Cmd+A and Escape in selection mode, wherever on the page the focus is. */
export const useSelectionKeys = ({ onSelectAll, onEscape }: Options): void => {
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || usesKeys(event.target)) return
      if (event.key === 'Escape') onEscape()
      if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        onSelectAll()
      }
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [onSelectAll, onEscape])
}
