import { createServiceApp } from '@confetti/service-kit'
import { createEventRoute } from './routes/create-event.ts'
import { createQrCodeRoute } from './routes/create-qr-code.ts'
import { getEventSummaryRoute } from './routes/get-event-summary.ts'
import { getEventRoute } from './routes/get-event.ts'
import { listActiveEventsRoute, listPastEventsRoute, listUpcomingEventsRoute } from './routes/list-events.ts'
import { listMyEventsRoute } from './routes/list-my-events.ts'

type Deps = Omit<Parameters<typeof createServiceApp>[0], 'routes'> &
  Parameters<typeof createEventRoute>[0] &
  Parameters<typeof createQrCodeRoute>[0] &
  Parameters<typeof getEventSummaryRoute>[0] &
  Parameters<typeof getEventRoute>[0] &
  Parameters<typeof listActiveEventsRoute>[0] &
  Parameters<typeof listMyEventsRoute>[0]

export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    routes: [
      // Before `getEvent`, whose path would take their last words for ids.
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
