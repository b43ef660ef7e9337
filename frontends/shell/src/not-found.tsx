import { useEffect } from 'react'
import { Link } from '@confetti/federation/router'
import { site } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'

export const NotFound = () => {
  useEffect(() => {
    document.title = `Page not found · ${site().brand}`
  }, [])
  return (
    <EmptyState as="h1" title="Page not found">
      <p>The link may be out of date or incomplete.</p>
      <Link className={buttonClass()} to="/">
        Go to Home
      </Link>
    </EmptyState>
  )
}
