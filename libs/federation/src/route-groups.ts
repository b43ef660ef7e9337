import type { RemoteName } from './remote.ts'

/** A set of paths that one remote serves to the same users. */
export interface RouteGroup {
  remote: RemoteName
  /** Exact paths, which may have parameters (`/wall/:eventId`). In groups with `roles`, also every path below them. */
  paths: readonly string[]
  /** The roles that may open these paths. Without it the paths are public. */
  roles?: readonly ('user' | 'admin')[]
}

export const routeGroups: readonly RouteGroup[] = [
  {
    remote: 'public',
    paths: [
      '/',
      '/login',
      '/register',
      '/forgot-password',
      '/reset-password',
      '/accept-invitation',
      '/upload',
      '/thank-you',
      '/gallery',
      '/mine',
      '/privacy',
      '/wall/:eventId',
      '/e/:code',
    ],
  },
  { remote: 'public', paths: ['/account', '/organiser-invitation'], roles: ['user', 'admin'] },
  { remote: 'organiser', paths: ['/myevents', '/contact-admin'], roles: ['user'] },
  { remote: 'admin', paths: ['/contacts', '/events', '/admin'], roles: ['admin'] },
]

/** Whether a path has the segments of a group's path, where a parameter stands for any one segment. */
const matches = (path: string, groupPath: string, { allowsMore }: { allowsMore: boolean }): boolean => {
  const segments = path.split('/')
  const expected = groupPath.split('/')
  if (allowsMore ? segments.length < expected.length : segments.length !== expected.length) return false
  return expected.every(
    (segment, index) => segment === segments[index] || (segment.startsWith(':') && segments[index] !== ''),
  )
}

/** Returns the route group of a path. A trailing slash is ignored. */
export const findRouteGroup = (pathname: string, groups = routeGroups): RouteGroup | undefined => {
  const path = pathname.replace(/\/+$/, '') || '/'
  return groups.find(({ paths, roles }) =>
    paths.some((groupPath) => matches(path, groupPath, { allowsMore: roles !== undefined })),
  )
}
