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
    <EmptyState as="h1" title="There is no such page.">
      <p>The link may be old, or cut short on its way.</p>
      <Link className={buttonClass()} to="/">
        Go to Home
      </Link>
    </EmptyState>
  )
}
