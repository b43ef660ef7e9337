import { useLayoutEffect, useRef, type FocusEvent, type ReactNode } from 'react'
import styles from './keep-focus.module.css'

/**
 * Keeps the focus in a part of the page: if a control that has the focus is removed, such as a Retry button after its
 * click, `target` gets the focus, which would otherwise be lost. `within` are props of the element around these
 * controls. To be called by the component whose change removes them.
 */
export const useKeepFocus = <T extends HTMLElement>() => {
  const target = useRef<T>(null)
  const hasFocus = useRef(false)

  useLayoutEffect(() => {
    // React does not emit a blur event for an element that it removes.
    if (hasFocus.current && document.activeElement === document.body)
      target.current?.focus({ preventScroll: true })
  })

  const within = {
    onFocus: ({ currentTarget, target: focused }: FocusEvent<HTMLElement>): void => {
      // The focus events of a dialog bubble to here, too, from elsewhere in the document.
      hasFocus.current = currentTarget.contains(focused)
    },
    onBlur: (): void => {
      hasFocus.current = false
    },
  }
  return { target, within }
}

interface Props {
  className?: string
  children: ReactNode
}

/** A part of the page that keeps the focus: it gets the focus if a control in it that has the focus is removed. */
export const KeepFocus = ({ className = '', children }: Props) => {
  const { target, within } = useKeepFocus<HTMLDivElement>()
  return (
    <div ref={target} tabIndex={-1} className={`${styles.region} ${className}`} {...within}>
      {children}
    </div>
  )
}
