import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { addOrganiserRoute, type AddOrganiserDeps } from './routes/add-organiser.ts'
import { createEventRoute, type CreateEventDeps } from './routes/create-event.ts'
import { createQrCodeRoute, type CreateQrCodeDeps } from './routes/create-qr-code.ts'
import { createWallRoute, type CreateWallDeps } from './routes/create-wall.ts'
import { deleteEventRoute, type DeleteEventDeps } from './routes/delete-event.ts'
import { deleteWallRoute, type DeleteWallDeps } from './routes/delete-wall.ts'
import { getEventSummaryRoute, type GetEventSummaryDeps } from './routes/get-event-summary.ts'
import { getEventRoute, type GetEventDeps } from './routes/get-event.ts'
import {
  listActiveEventsRoute,
  listPastEventsRoute,
  listUpcomingEventsRoute,
  type ListEventsDeps,
} from './routes/list-events.ts'
import { listMyEventsRoute, type ListMyEventsDeps } from './routes/list-my-events.ts'
import { removeOrganiserRoute, type RemoveOrganiserDeps } from './routes/remove-organiser.ts'
import { updateEventRoute, type UpdateEventDeps } from './routes/update-event.ts'

type Deps = Omit<ServiceAppOptions, 'routes'> &
  AddOrganiserDeps &
  CreateEventDeps &
  CreateQrCodeDeps &
  CreateWallDeps &
  DeleteEventDeps &
  DeleteWallDeps &
  GetEventDeps &
  GetEventSummaryDeps &
  ListEventsDeps &
  ListMyEventsDeps &
  RemoveOrganiserDeps &
  UpdateEventDeps

/** The HTTP API of the events service. */
export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    routes: [
      // Before `getEvent`: its path /api/events/{eventId} also matches theirs.
      listActiveEventsRoute(deps),
      listUpcomingEventsRoute(deps),
      listPastEventsRoute(deps),
      createEventRoute(deps),
      getEventRoute(deps),
      updateEventRoute(deps),
      deleteEventRoute(deps),
      addOrganiserRoute(deps),
      removeOrganiserRoute(deps),
      createQrCodeRoute(deps),
      createWallRoute(deps),
      deleteWallRoute(deps),
      listMyEventsRoute(deps),
      getEventSummaryRoute(deps),
    ],
  })
