import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import styles from './reveal-on-scroll.module.css'

interface Props {
  /** The index in the list, from 0. Each item is animated 0.2 s after the previous one. */
  index: number
  className: string | undefined
  children: ReactNode
}

/**
 * A list item that is tilted until it is scrolled into view, and then animated into place. It is visible before, so that
 * the page can be read without an IntersectionObserver.
 */
export const RevealOnScroll = ({ index, className = '', children }: Props) => {
  const item = useRef<HTMLLIElement>(null)
  const [isRevealed, setIsRevealed] = useState(() => !('IntersectionObserver' in window))

  useEffect(() => {
    if (!item.current || isRevealed) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsRevealed(true)
      },
      { threshold: 0.25 },
    )
    observer.observe(item.current)
    return () => observer.disconnect()
  }, [isRevealed])

  return (
    <li
      ref={item}
      className={`${className} ${isRevealed ? styles.revealed : styles.tilted}`}
      style={{ '--delay': `${index * 0.2}s`, '--side': index % 2 === 0 ? -1 : 1 } as CSSProperties}
    >
      {children}
    </li>
  )
}
