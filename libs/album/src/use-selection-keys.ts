import { useEffect } from 'react'

interface Options {
  enabled: boolean
  onSelectAll: () => void
  onLeave: () => void
}

/** Whether an element has its own use for Ctrl+A or Escape. */
const usesKeys = (element: EventTarget | null): boolean =>
  element instanceof Element && element.matches('select, textarea, input:not([type=radio])')

/** Makes Ctrl+A and Cmd+A select all and Escape leave selection mode, wherever on the page the focus is. */
export const useSelectionKeys = ({ enabled, onSelectAll, onLeave }: Options): void => {
  useEffect(() => {
    if (!enabled) return
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || usesKeys(event.target)) return
      if (event.key === 'Escape') onLeave()
      if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        onSelectAll()
      }
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [enabled, onSelectAll, onLeave])
}
