import { useSyncExternalStore } from 'react'

const onScroll = (listener: () => void): (() => void) => {
  window.addEventListener('scroll', listener, { passive: true })
  return () => window.removeEventListener('scroll', listener)
}

/** Whether the page is scrolled by more than `px`. */
export const useScrolledPast = (px: number): boolean =>
  useSyncExternalStore(onScroll, () => window.scrollY > px)
