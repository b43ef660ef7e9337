import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { followEventRoute, type FollowEventDeps } from './routes/follow-event.ts'

type Deps = Omit<ServiceAppOptions, 'routes' | 'maxJsonBytes'> & FollowEventDeps

/** The HTTP API of the live service. */
export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    // No route has a body.
    maxJsonBytes: 0,
    routes: [followEventRoute(deps)],
  })
