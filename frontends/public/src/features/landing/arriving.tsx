import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import styles from './arriving.module.css'

interface Props {
  /** Its place in the list, from 0: each comes 0.2 s after the one before. */
  index: number
  className: string | undefined
  children: ReactNode
}

/**
 * An entry of a list that lies askew until it is scrolled into view, then falls into its place. It can be seen all the
 * while, so that nothing is lost where the browser does not observe.
 */
export const Arriving = ({ index, className = '', children }: Props) => {
  const entry = useRef<HTMLLIElement>(null)
  const [arrived, setArrived] = useState(() => !('IntersectionObserver' in window))

  useEffect(() => {
    if (!entry.current || arrived) return
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setArrived(true)
      },
      { threshold: 0.25 },
    )
    observer.observe(entry.current)
    return () => observer.disconnect()
  }, [arrived])

  return (
    <li
      ref={entry}
      className={`${className} ${arrived ? styles.arrived : styles.askew}`}
      style={{ '--delay': `${index * 0.2}s`, '--side': index % 2 === 0 ? -1 : 1 } as CSSProperties}
    >
      {children}
    </li>
  )
}
