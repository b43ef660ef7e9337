import { useCallback, useState } from 'react'
import type { GuestEvent } from '@confetti/contracts'
import { useSearchParams } from '@confetti/federation/router'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { EventGallery, GallerySkeleton } from '../features/gallery/event-gallery.tsx'
import { GalleryCountdown, GalleryLoadError, GalleryOff } from '../features/gallery/gallery-messages.tsx'
import { PinGate } from '../features/pin/pin-gate.tsx'
import { SendingNotice } from '../features/upload/sending-status.tsx'
import { getEventId, useEvent } from '../features/upload/use-event.ts'
import { EventNotFound, MissingEventId } from '../features/upload/upload-unavailable.tsx'

const LoadedGallery = ({ event }: { event: GuestEvent }) => {
  const { gallery, revealAt } = event
  const [isOpen, setIsOpen] = useState(() => revealAt === undefined || Date.parse(revealAt) <= Date.now())
  const open = useCallback(() => setIsOpen(true), [])
  if (gallery !== 'on') return <GalleryOff event={event} />
  if (!isOpen && revealAt) return <GalleryCountdown event={event} revealAt={revealAt} onEnd={open} />
  return <EventGallery event={event} />
}

const GalleryOf = ({ eventId }: { eventId: string }) => {
  const { state, retry } = useEvent(eventId)
  switch (state.status) {
    case 'pending':
      return <GallerySkeleton />
    case 'not-found':
      return <EventNotFound eventId={eventId} />
    case 'error':
      return <GalleryLoadError error={state.error} onRetry={retry} />
    case 'success':
      return <LoadedGallery event={state.event} />
  }
}

export const Gallery = () => {
  const eventId = getEventId(useSearchParams()[0])
  if (!eventId) return <MissingEventId />
  return (
    <>
      <PinGate key={eventId} eventId={eventId}>
        <KeepFocus>
          <GalleryOf eventId={eventId} />
        </KeepFocus>
      </PinGate>
      <SendingNotice />
    </>
  )
}
