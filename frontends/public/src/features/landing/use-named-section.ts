import { useEffect } from 'react'
import { useLocation } from '@confetti/federation/router'

/** Goes to the section that the address names (`/#features`), also when its link is clicked again; the keyboard too. */
export const useNamedSection = (): void => {
  const { hash, key } = useLocation()
  useEffect(() => {
    const section = document.getElementById(hash.slice(1))
    section?.scrollIntoView()
    section?.focus({ preventScroll: true })
  }, [hash, key])
}
