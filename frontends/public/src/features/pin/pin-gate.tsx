import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react'
import { createNetworkError, eventPasses } from '@confetti/api-client'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { Loading } from '@confetti/ui/loading'
import { useText } from '../../texts.ts'
import { GuestMain } from '../guest-page/guest-page.tsx'

const NotLoaded = () => {
  const t = useText()
  return (
    <>
      <p role="alert">{getFailureText(createNetworkError())}</p>
      <Button onClick={() => location.reload()}>{t('common.retry')}</Button>
    </>
  )
}

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
        <GuestMain>
          <Suspense fallback={<Loading />}>
            <PinForm eventId={eventId} event={refusal.event} />
          </Suspense>
        </GuestMain>
      ) : (
        children
      )}
    </KeepFocus>
  )
}
