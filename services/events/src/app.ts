import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { createEventRoute, type CreateEventDeps } from './routes/create-event.ts'
import { createQrCodeRoute, type CreateQrCodeDeps } from './routes/create-qr-code.ts'
import { getEventSummaryRoute, type GetEventSummaryDeps } from './routes/get-event-summary.ts'
import { getEventRoute, type GetEventDeps } from './routes/get-event.ts'
import {
  listActiveEventsRoute,
  listPastEventsRoute,
  listUpcomingEventsRoute,
  type ListEventsDeps,
} from './routes/list-events.ts'
import { listMyEventsRoute, type ListMyEventsDeps } from './routes/list-my-events.ts'

type Deps = Omit<ServiceAppOptions, 'routes'> &
  CreateEventDeps &
  CreateQrCodeDeps &
  GetEventDeps &
  GetEventSummaryDeps &
  ListEventsDeps &
  ListMyEventsDeps

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
      createQrCodeRoute(deps),
      listMyEventsRoute(deps),
      getEventSummaryRoute(deps),
    ],
  })
