import * as accounts from './http/accounts.ts'
import * as archives from './http/archives.ts'
import * as audit from './http/audit.ts'
import * as auth from './http/auth.ts'
import * as clientErrors from './http/client-errors.ts'
import * as contact from './http/contact.ts'
import * as directUploads from './http/direct-uploads.ts'
import * as events from './http/events.ts'
import * as gallery from './http/gallery.ts'
import * as guestUploads from './http/guest-uploads.ts'
import * as internal from './http/internal.ts'
import * as live from './http/live.ts'
import * as moderation from './http/moderation.ts'
import * as notifications from './http/notifications.ts'
import * as uploads from './http/uploads.ts'
import type { RouteContract } from './route-contract.ts'

/** The routes among the exports of contract files. */
type RoutesOf<Exports> = {
  [Name in keyof Exports as Exports[Name] extends RouteContract ? Name : never]: Exports[Name]
}

const isRoute = (value: unknown): value is RouteContract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

const parametersOf = ({ path }: RouteContract): number => path.split('{').length - 1

/** By operation id; fixed paths first, as Express takes the first that fits: 'active' in /api/events/active is not an event id. */
const routesOf = <Exports extends object>(exports: Exports) =>
  Object.fromEntries(
    Object.entries(exports)
      .filter((entry): entry is [string, RouteContract] => isRoute(entry[1]))
      .sort(([, a], [, b]) => parametersOf(a) - parametersOf(b)),
  ) as RoutesOf<Exports>

/** The routes of the public API, by the service that answers them, and there by operation id: the name of the export. */
export const serviceRoutes = {
  auth: routesOf({ ...auth, ...accounts, ...audit }),
  events: routesOf(events),
  uploads: routesOf({
    ...uploads,
    ...directUploads,
    ...archives,
    ...moderation,
    ...guestUploads,
    ...gallery,
  }),
  live: routesOf(live),
  contact: routesOf(contact),
  notifications: routesOf(notifications),
  gateway: routesOf(clientErrors),
}
export type ServiceWithRoutes = keyof typeof serviceRoutes

/** All routes of the public API, by operation id. */
export const publicRoutes = {
  ...serviceRoutes.auth,
  ...serviceRoutes.events,
  ...serviceRoutes.uploads,
  ...serviceRoutes.live,
  ...serviceRoutes.contact,
  ...serviceRoutes.notifications,
  ...serviceRoutes.gateway,
}

/** Routes between services, which the gateway does not expose. */
export const internalRoutes = routesOf(internal)
