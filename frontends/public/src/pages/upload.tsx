import { useLayoutEffect } from 'react'
import { browserStorage } from '@confetti/api-client'
import { useSearchParams } from '@confetti/federation/router'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { notifyError } from '@confetti/ui/notify'
import { getEventId } from '../features/upload/event-api.ts'
import { EventUpload } from '../features/upload/event-upload.tsx'
import { EventLoadError, EventNotFound, MissingEventId } from '../features/upload/upload-unavailable.tsx'
import { HAS_UNSENT_FILES_KEY } from '../features/upload/unsent/has-unsent-files.ts'
import { UploadSkeleton } from '../features/upload/upload-skeleton.tsx'
import { useEvent, type EventState } from '../features/upload/use-event.ts'
import { getText } from '../texts.ts'

interface ContentProps {
  eventId: string
  state: EventState
  onRetry: () => void
}

const UploadContent = ({ eventId, state, onRetry }: ContentProps) => {
  switch (state.status) {
    case 'pending':
      return <UploadSkeleton isServerBusy={state.isServerBusy} />
    case 'not-found':
      return <EventNotFound eventId={eventId} />
    case 'error':
      return <EventLoadError error={state.error} onRetry={onRetry} />
    case 'success':
      return <EventUpload event={state.event} />
  }
}

const UploadTo = ({ eventId }: { eventId: string }) => {
  const { state, retry } = useEvent(eventId)
  return (
    <KeepFocus>
      <UploadContent eventId={eventId} state={state} onRetry={retry} />
    </KeepFocus>
  )
}

/**
 * Remembers that files were shared with the app, before the page can be seen and left: the service worker cannot, and the
 * page of an event looks for them. Says how many the service worker could not store.
 */
const useSharedFiles = (hasSharedFiles: boolean, notSharedCount: number): void => {
  useLayoutEffect(() => {
    if (hasSharedFiles) browserStorage.set(HAS_UNSENT_FILES_KEY, '1')
    if (notSharedCount > 0)
      notifyError(getText('upload.notShared', { count: notSharedCount }), getText('common.error'))
  }, [hasSharedFiles, notSharedCount])
}

export const Upload = () => {
  const [query] = useSearchParams()
  const hasSharedFiles = query.has('shared')
  useSharedFiles(hasSharedFiles, Number(query.get('notShared')))
  const eventId = getEventId(query)
  if (eventId) return <UploadTo key={eventId} eventId={eventId} />
  return <MissingEventId hasSharedFiles={hasSharedFiles} />
}
