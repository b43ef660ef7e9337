import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useFocusNextHeading } from './focus-heading.tsx'

/** Shown if the page is loaded, but its configuration or code is not. */
export const StartFailed = ({ onRetry }: { onRetry: () => void }) => {
  useFocusNextHeading()
  return (
    <main>
      <EmptyState as="h1" title="Couldn't load the page">
        <p role="alert">Check your connection and try again.</p>
        <Button onClick={onRetry}>Retry</Button>
      </EmptyState>
    </main>
  )
}
