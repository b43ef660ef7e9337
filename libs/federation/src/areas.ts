import type { RemoteName } from './remote.ts'

/** A part of the site: which remote brings its screens, and who may see them. */
export interface Area {
  remote: RemoteName
  /** These addresses, and for members' areas all below them. */
  paths: readonly string[]
  /** Nobody has to be signed in where this is missing. */
  roles?: readonly ('user' | 'admin')[]
}

export const areas: readonly Area[] = [
  { remote: 'public', paths: ['/', '/login', '/register', '/upload', '/thank-you'] },
  { remote: 'organiser', paths: ['/myevents', '/contact-admin'], roles: ['user'] },
  { remote: 'admin', paths: ['/contacts', '/events', '/admin'], roles: ['admin'] },
]

/** The area that an address belongs to, if any does. */
export const areaOf = (pathname: string, among = areas): Area | undefined => {
  const path = pathname.replace(/\/+$/, '') || '/'
  return among.find(({ paths, roles }) =>
    paths.some((own) => path === own || (roles !== undefined && path.startsWith(`${own}/`))),
  )
}
