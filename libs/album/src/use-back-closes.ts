import { useEffect } from 'react'

const isOurs = (): boolean => (history.state as { over?: boolean } | null)?.over === true

/** While something lies over the page, going back in the browser closes that instead of leaving the page. */
export const useBackCloses = (open: boolean, onClose: () => void): void => {
  useEffect(() => {
    if (!open) return
    // The router's own notes stay in the entry.
    history.pushState({ ...(history.state as object | null), over: true }, '')
    window.addEventListener('popstate', onClose)
    return () => {
      window.removeEventListener('popstate', onClose)
      if (isOurs()) history.back()
    }
  }, [open, onClose])
}
