import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'

/** The page itself is here, but what it needs to begin did not come. */
export const StartFailed = ({ onRetry }: { onRetry: () => void }) => (
  <main>
    <EmptyState as="h1" title="The page could not be loaded.">
      <p role="alert">The connection may be bad. Nothing is lost.</p>
      <Button onClick={onRetry}>Retry</Button>
    </EmptyState>
  </main>
)
