import { useEffect, useRef } from 'react'
import { findRouteGroup } from '@confetti/federation/route-groups'
import { useLocation } from '@confetti/federation/router'
import { WELCOME_PATH } from './guard.tsx'

// A page that is loading is `aria-busy`, or has no heading yet.
const findHeading = () => document.querySelector<HTMLElement>('main:not([aria-busy="true"]) h1')

const isPublic = (pathname: string): boolean =>
  pathname.replace(/\/+$/, '') !== WELCOME_PATH && !findRouteGroup(pathname)?.roles

/** Focuses the heading of the page, once it has loaded, unless something else has the focus by then. */
const focusHeading = (): (() => void) => {
  const observer = new MutationObserver(() => focusIfLoaded())
  const focusIfLoaded = (): void => {
    const heading = findHeading()
    if (!heading) return
    observer.disconnect()
    if (document.activeElement !== document.body) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-busy'] })
  focusIfLoaded()
  return () => observer.disconnect()
}

/** When the component is removed, moves the focus to the heading of the page that replaces it, once that has loaded. */
export const useFocusNextHeading = (): void => {
  useEffect(() => () => void focusHeading(), [])
}

/**
 * Moves the focus to the heading of each new public page, so that screen readers announce it. Members' pages have their
 * own in the layout, whose header and sidebar stay.
 */
export const FocusHeading = () => {
  const { pathname, hash } = useLocation()
  const previousPath = useRef(pathname)
  useEffect(() => {
    if (previousPath.current === pathname) return
    previousPath.current = pathname
    // With a hash the page focuses its section.
    return isPublic(pathname) && !hash ? focusHeading() : undefined
  }, [pathname, hash])
  return null
}
