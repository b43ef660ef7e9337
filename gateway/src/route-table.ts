import { serviceRoutes, type RouteContract, type ServiceWithRoutes } from '@confetti/contracts'
import { AppError, invalid, notFound } from '@confetti/service-kit'

export type UpstreamService = Exclude<ServiceWithRoutes, 'gateway'>

export interface PublicRoute {
  /** 'GET /api/events/{eventId}', for logs and metrics. */
  name: string
  method: string
  /** '/api/events/{eventId}'. */
  path: string
  segments: readonly string[]
  service: ServiceWithRoutes
  /** Whether responses carry a new guest token for guests who sent none. */
  issuesGuestTokens: boolean
  isMultipart: boolean
  /** Whether the response continues until one side ends it. */
  isEndless: boolean
  acceptsBody: boolean
}

const splitPath = (path: string): string[] => path.slice(1).split('/')
const isParameter = (segment: string): boolean => segment.startsWith('{')

const methodsOf = ({ method, download }: RouteContract): string[] =>
  download ? [method.toUpperCase(), 'HEAD'] : [method.toUpperCase()]

/** No other route is reachable through the gateway. */
const routes: readonly PublicRoute[] = Object.entries(serviceRoutes)
  .flatMap(([service, contracts]) =>
    Object.values<RouteContract>(contracts).flatMap((contract) =>
      methodsOf(contract).map((method) => ({
        name: `${method} ${contract.path}`,
        method,
        path: contract.path,
        segments: splitPath(contract.path),
        service: service as ServiceWithRoutes,
        issuesGuestTokens: contract.issuesGuestToken === true,
        isMultipart: contract.multipart === true,
        isEndless: contract.download === 'text/event-stream',
        acceptsBody: contract.method === 'post' || contract.method === 'patch',
      })),
    ),
  )
  // Fixed paths first, as in the services: 'active' in /api/events/active is not an event id.
  .sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length)

export class MethodNotAllowedError extends AppError {
  override name = 'MethodNotAllowedError'
  readonly allow: string

  constructor(allow: string) {
    super('invalid', 'This address does not support that method.', { code: 'method_not_allowed' })
    this.allow = allow
  }

  override get status(): number {
    return 405
  }
}

const routeNotFound = () => notFound('There is nothing at this address.')
const invalidAddress = () => invalid('The address could not be read.')

const printableTarget = /^\/[\x21\x22\x24-\x7e]*$/
const validPath = /^(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*)+$/

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw invalidAddress()
  }
}

/** The segments of the path, not decoded. Throws if two parsers could understand the path differently. */
const parsePath = (target: string): string[] => {
  const [path = ''] = target.split('?', 1)
  if (!printableTarget.test(target) || !validPath.test(path)) throw invalidAddress()
  const segments = splitPath(path)
  for (const segment of segments) {
    const decoded = decode(segment)
    // eslint-disable-next-line no-control-regex
    if (decoded === '.' || decoded === '..' || /[/\\\u0000-\u001f\u007f]/.test(decoded)) throw routeNotFound()
  }
  return segments
}

// Express in the services ignores case: a path that differs only in case could reach another route than the gateway's.
const matchesIgnoringCase =
  (segments: readonly string[]) =>
  (route: PublicRoute): boolean =>
    route.segments.length === segments.length &&
    route.segments.every((segment, i) =>
      isParameter(segment) ? segments[i] !== '' : segment.toLowerCase() === segments[i]?.toLowerCase(),
    )

const matchesExactly = (route: PublicRoute, segments: readonly string[]): boolean =>
  route.segments.every((segment, i) => isParameter(segment) || segment === segments[i])

/** Finds the public route for a method and request target. Throws 400, 404 or 405 if there is none. */
export const findRoute = (method: string, target: string): PublicRoute => {
  const segments = parsePath(target)
  const candidates = routes.filter(matchesIgnoringCase(segments))
  const route = candidates.find((candidate) => candidate.method === method)
  if (route && matchesExactly(route, segments)) return route
  const allowedMethods = candidates
    .filter((candidate) => matchesExactly(candidate, segments))
    .map((candidate) => candidate.method)
  if (route || allowedMethods.length === 0) throw routeNotFound()
  throw new MethodNotAllowedError([...new Set(allowedMethods)].join(', '))
}
