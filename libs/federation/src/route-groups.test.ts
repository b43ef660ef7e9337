import { expect, test } from '@jest/globals'
import { findRouteGroup } from './route-groups.ts'

test.each([
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
  '/wall/0123456789abcdef01234567',
  '/wall/:eventId',
  '/e/7F3K-9QXM',
])('When the path is %s, then the public remote serves it without a sign-in', (path) => {
  expect(findRouteGroup(path)).toMatchObject({ remote: 'public' })
  expect(findRouteGroup(path)?.roles).toBeUndefined()
})

test.each(['/account', '/organiser-invitation'])(
  'When the path is %s, then the public remote serves it to signed-in users',
  (path) => {
    expect(findRouteGroup(path)).toMatchObject({ remote: 'public', roles: ['user', 'admin'] })
  },
)

test.each(['/myevents', '/contact-admin'])(
  'When the path is %s, then the organiser remote serves it to users only',
  (path) => {
    expect(findRouteGroup(path)).toMatchObject({ remote: 'organiser', roles: ['user'] })
  },
)

test.each([
  '/contacts',
  '/events',
  '/events/create',
  '/events/abc',
  '/admin/users',
  '/admin/audit',
  '/admin/event-uploads/abc',
])('When the path is %s, then the admin remote serves it to admins only', (path) => {
  expect(findRouteGroup(path)).toMatchObject({ remote: 'admin', roles: ['admin'] })
})

test('When a path ends in a slash, then its route group is the same', () => {
  expect(findRouteGroup('/upload/')).toBe(findRouteGroup('/upload'))
  expect(findRouteGroup('/events/')).toBe(findRouteGroup('/events'))
})

test.each([
  '/wall',
  '/wall/',
  '/wall/abc/more',
  '/nowhere',
  '/login/more',
  '/eventsandmore',
  '/myevents2',
  '/welcome',
])('When the path is %s, then no remote serves it', (path) => {
  expect(findRouteGroup(path)).toBeUndefined()
})
