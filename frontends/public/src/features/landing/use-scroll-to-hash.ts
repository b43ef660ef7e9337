import { useLayoutEffect } from 'react'
import { useLocation } from '@confetti/federation/router'

/** Scrolls to the section in the URL's hash (`/#features`) and focuses it, also when its link is clicked again. */
export const useScrollToHash = (): void => {
  const { hash, key } = useLocation()
  useLayoutEffect(() => {
    const section = document.getElementById(hash.slice(1))
    section?.scrollIntoView()
    section?.focus({ preventScroll: true })
  }, [hash, key])
}
