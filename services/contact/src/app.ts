import { createServiceApp } from '@confetti/service-kit'
import { contactAdminRoute } from './routes/contact-admin.ts'
import { listContactsRoute } from './routes/list-contacts.ts'

type Deps = Parameters<typeof contactAdminRoute>[0] &
  Parameters<typeof listContactsRoute>[0] &
  Omit<Parameters<typeof createServiceApp>[0], 'routes'>

/** The HTTP side of contact. */
export const createApp = (deps: Deps) =>
  createServiceApp({ ...deps, routes: [contactAdminRoute(deps), listContactsRoute(deps)] })
