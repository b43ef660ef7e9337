import { publicRoutes, type RouteContract } from '@confetti/contracts'
import { AppError, invalid, notFound } from '@confetti/service-kit'

export type ServiceName = 'auth' | 'events' | 'uploads' | 'contact'

/** Which service answers each public call. What is not here does not exist for the outside. */
const serviceOf: Record<keyof typeof publicRoutes, ServiceName> = {
  register: 'auth',
  login: 'auth',
  refresh: 'auth',
  logout: 'auth',
  listUsers: 'auth',
  listActiveEvents: 'events',
  listUpcomingEvents: 'events',
  listPastEvents: 'events',
  createEvent: 'events',
  getEvent: 'events',
  createQrCode: 'events',
  listMyEvents: 'events',
  createUploads: 'uploads',
  listEventUploads: 'uploads',
  listMyEventUploads: 'uploads',
  deleteUpload: 'uploads',
  contactAdmin: 'contact',
  listContacts: 'contact',
}

const guestCalls: readonly string[] = ['getEvent', 'createUploads'] satisfies (keyof typeof publicRoutes)[]

export interface PublicRoute {
  /** 'GET /api/events/{eventId}', for logs and metrics. */
  name: string
  method: string
  /** '/api/events/{eventId}'. */
  path: string
  service: ServiceName
  /** Guests make this call, so it hands out guest tokens. */
  forGuests: boolean
  multipart: boolean
  takesBody: boolean
  parts: readonly string[]
}

const partsOf = (path: string): string[] => path.slice(1).split('/')
const isParameter = (part: string): boolean => part.startsWith('{')

const routes: readonly PublicRoute[] = Object.entries(publicRoutes)
  .map(([id, contract]: [string, RouteContract]) => ({
    name: `${contract.method.toUpperCase()} ${contract.path}`,
    method: contract.method.toUpperCase(),
    path: contract.path,
    service: serviceOf[id as keyof typeof publicRoutes],
    forGuests: guestCalls.includes(id),
    multipart: contract.multipart === true,
    takesBody: contract.method === 'post',
    parts: partsOf(contract.path),
  }))
  // The services see fixed paths first too: /api/events/active is no event.
  .sort((a, b) => a.parts.filter(isParameter).length - b.parts.filter(isParameter).length)

export class MethodNotAllowed extends AppError {
  override name = 'MethodNotAllowed'
  readonly allow: string

  constructor(allow: string) {
    super('invalid', 'This address does not support that method.', { code: 'method_not_allowed' })
    this.allow = allow
  }

  override get status(): number {
    return 405
  }
}

const nothingHere = () => notFound('There is nothing at this address.')
const unreadable = () => invalid('The address could not be read.')

const printable = /^\/[\x21\x22\x24-\x7e]*$/
const legalPath = /^(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*)+$/

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    throw unreadable()
  }
}

/** The parts of the path as sent; throws for anything that two readers could take for two different paths. */
const readPath = (target: string): string[] => {
  const [path = ''] = target.split('?', 1)
  if (!printable.test(target) || !legalPath.test(path)) throw unreadable()
  const parts = partsOf(path)
  for (const part of parts) {
    const meant = decode(part)
    // eslint-disable-next-line no-control-regex
    if (meant === '.' || meant === '..' || /[/\\\u0000-\u001f\u007f]/.test(meant)) throw nothingHere()
  }
  return parts
}

// Express in the services ignores case, so a path that differs only in case would reach another route than ours.
const fits =
  (parts: readonly string[]) =>
  (route: PublicRoute): boolean =>
    route.parts.length === parts.length &&
    route.parts.every((part, i) =>
      isParameter(part) ? parts[i] !== '' : part.toLowerCase() === parts[i]?.toLowerCase(),
    )

const isExact = (route: PublicRoute, parts: readonly string[]): boolean =>
  route.parts.every((part, i) => isParameter(part) || part === parts[i])

/** The public call that a request line means. Throws 400, 404 or 405 where there is none. */
export const findRoute = (method: string, target: string): PublicRoute => {
  const parts = readPath(target)
  const candidates = routes.filter(fits(parts))
  const route = candidates.find((candidate) => candidate.method === method)
  if (route && isExact(route, parts)) return route
  const allowed = candidates
    .filter((candidate) => isExact(candidate, parts))
    .map((candidate) => candidate.method)
  if (route || allowed.length === 0) throw nothingHere()
  throw new MethodNotAllowed([...new Set(allowed)].join(', '))
}
