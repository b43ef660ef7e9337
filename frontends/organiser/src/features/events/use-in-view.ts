import { useEffect, useState, type RefObject } from 'react'

/** Whether an element is in the viewport or within 200 px of it. */
export const useInView = (element: RefObject<Element | null>): boolean => {
  const [inView, setInView] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: '200px' },
    )
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return inView
}
