import { useEffect } from 'react'

const isOverlayEntry = (): boolean => (history.state as { overlay?: boolean } | null)?.overlay === true

/** Makes the browser's back button close an open overlay instead of leaving the page. */
export const useCloseOnBack = (open: boolean, onClose: () => void): void => {
  useEffect(() => {
    if (!open) return
    // The entry keeps the state of the router.
    history.pushState({ ...(history.state as object | null), overlay: true }, '')
    window.addEventListener('popstate', onClose)
    return () => {
      window.removeEventListener('popstate', onClose)
      if (isOverlayEntry()) history.back()
    }
  }, [open, onClose])
}
