import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { showUnsubscribePageRoute, type ShowUnsubscribePageDeps } from './routes/show-unsubscribe-page.ts'
import { unsubscribeRoute, type UnsubscribeDeps } from './routes/unsubscribe.ts'

type Deps = Omit<ServiceAppOptions, 'routes' | 'verifyToken'> & UnsubscribeDeps & ShowUnsubscribePageDeps

/** The HTTP API of the notifications service. None of its routes reads access tokens. */
export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    verifyToken: () => Promise.resolve({ state: 'absent' }),
    routes: [unsubscribeRoute(deps), showUnsubscribePageRoute(deps)],
  })
