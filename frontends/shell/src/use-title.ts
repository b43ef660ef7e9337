import { useEffect } from 'react'
import { site } from '@confetti/session'

/** Sets the document's title, which ends with the product's name. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · ${site().brand}`
  }, [title])
}
