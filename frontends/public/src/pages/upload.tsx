import { useEffect } from 'react'
import { useSearchParams } from '@confetti/federation/router'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { notifyError } from '@confetti/ui/notify'
import { getEventId } from '../features/upload/event-api.ts'
import { EventUpload } from '../features/upload/event-upload.tsx'
import { EventLoadError, EventNotFound, MissingEventId } from '../features/upload/upload-unavailable.tsx'
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

/** Says how many files the service worker could not store when they were shared with the app. */
const useNotSharedNotice = (count: number): void => {
  useEffect(() => {
    if (count > 0) notifyError(getText('upload.notShared', { count }), getText('common.error'))
  }, [count])
}

export const Upload = () => {
  const [query] = useSearchParams()
  useNotSharedNotice(Number(query.get('notShared')))
  const eventId = getEventId(query)
  if (eventId) return <UploadTo key={eventId} eventId={eventId} />
  return <MissingEventId hasSharedFiles={query.has('shared')} />
}
