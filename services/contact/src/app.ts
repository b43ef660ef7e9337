import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { contactAdminRoute, type ContactAdminDeps } from './routes/contact-admin.ts'
import { listContactsRoute, type ListContactsDeps } from './routes/list-contacts.ts'
import { replyToContactRoute, type ReplyToContactDeps } from './routes/reply-to-contact.ts'

type Deps = Omit<ServiceAppOptions, 'routes'> & ContactAdminDeps & ListContactsDeps & ReplyToContactDeps

/** The HTTP API of the contact service. */
export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    routes: [contactAdminRoute(deps), listContactsRoute(deps), replyToContactRoute(deps)],
  })
