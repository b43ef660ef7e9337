import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { DeleteEvent } from '../domain/delete-event.ts'

export interface DeleteEventDeps {
  deleteEvent: DeleteEvent
}

export const deleteEventRoute = ({ deleteEvent }: DeleteEventDeps): Route<typeof contracts.deleteEvent> => ({
  ...contracts.deleteEvent,
  handle: async ({ params }) => {
    await deleteEvent(params.eventId)
    return { status: 200, body: { message: 'Event deleted successfully' } }
  },
})
