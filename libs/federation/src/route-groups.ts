import type { RemoteName } from './remote.ts'

/** A set of paths that one remote serves to the same users. */
export interface RouteGroup {
  remote: RemoteName
  /** Exact paths. In groups with `roles`, also every path below them. */
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
    ],
  },
  { remote: 'public', paths: ['/account'], roles: ['user', 'admin'] },
  { remote: 'organiser', paths: ['/myevents', '/contact-admin'], roles: ['user'] },
  { remote: 'admin', paths: ['/contacts', '/events', '/admin'], roles: ['admin'] },
]

/** Returns the route group of a path. A trailing slash is ignored. */
export const findRouteGroup = (pathname: string, groups = routeGroups): RouteGroup | undefined => {
  const path = pathname.replace(/\/+$/, '') || '/'
  return groups.find(({ paths, roles }) =>
    paths.some(
      (groupPath) => path === groupPath || (roles !== undefined && path.startsWith(`${groupPath}/`)),
    ),
  )
}
