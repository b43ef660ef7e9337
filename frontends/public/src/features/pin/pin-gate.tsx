import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react'
import { eventPasses } from '@confetti/api-client'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { GuestMain } from '../guest-page/guest-page.tsx'
import { NotLoaded } from '../upload/event-load-error.tsx'

/** Most events have no PIN. */
const PinForm = lazy(() =>
  import('./pin-form.tsx').then(({ loadPinForm }) => loadPinForm()).catch(() => ({ default: NotLoaded })),
)

interface Props {
  eventId: string
  children: ReactNode
}

/**
 * A guest's page of an event. While the event asks for its PIN, which can begin at any time, a form for it is shown instead.
 * Then the page loads again; files that wait are outside of it.
 */
export const PinGate = ({ eventId, children }: Props) => {
  const refusal = useSyncExternalStore(eventPasses.subscribe, () => eventPasses.getRefusal(eventId))
  return (
    <KeepFocus>
      {refusal ? (
        <Suspense fallback={<GuestMain aria-busy="true" />}>
          <PinForm eventId={eventId} event={refusal.event} />
        </Suspense>
      ) : (
        children
      )}
    </KeepFocus>
  )
}
