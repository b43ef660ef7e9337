import { useSearchParams } from '@confetti/federation/router'
import { eventIdIn } from '../features/upload/event-api.ts'
import { EventUpload } from '../features/upload/event-upload.tsx'
import { EventNotLoaded, MissingEvent, UnknownEvent } from '../features/upload/no-upload.tsx'
import { UploadSkeleton } from '../features/upload/upload-skeleton.tsx'
import { useEvent } from '../features/upload/use-event.ts'

const UploadTo = ({ eventId }: { eventId: string }) => {
  const { state, retry } = useEvent(eventId)
  switch (state.is) {
    case 'loading':
      return <UploadSkeleton />
    case 'unknown':
      return <UnknownEvent />
    case 'not-loaded':
      return <EventNotLoaded message={state.message} onRetry={retry} />
    case 'there':
      return <EventUpload event={state.event} />
  }
}

export const Upload = () => {
  const eventId = eventIdIn(useSearchParams()[0])
  return eventId ? <UploadTo key={eventId} eventId={eventId} /> : <MissingEvent />
}
