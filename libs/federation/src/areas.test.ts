import { expect, test } from '@jest/globals'
import { areaOf } from './areas.ts'

test.each(['/', '/login', '/register', '/upload', '/thank-you'])(
  'When a guest opens %s, then the public remote brings it and nobody has to be signed in',
  (path) => {
    expect(areaOf(path)).toMatchObject({ remote: 'public' })
    expect(areaOf(path)?.roles).toBeUndefined()
  },
)

test.each(['/myevents', '/contact-admin'])('When %s is opened, then it is for users alone', (path) => {
  expect(areaOf(path)).toMatchObject({ remote: 'organiser', roles: ['user'] })
})

test.each(['/contacts', '/events', '/events/create', '/events/abc', '/admin/event-uploads/abc'])(
  'When %s is opened, then it is for admins alone',
  (path) => {
    expect(areaOf(path)).toMatchObject({ remote: 'admin', roles: ['admin'] })
  },
)

test('When an address ends in a slash, then it is the same', () => {
  expect(areaOf('/upload/')).toBe(areaOf('/upload'))
  expect(areaOf('/events/')).toBe(areaOf('/events'))
})

test.each(['/nowhere', '/login/more', '/eventsandmore', '/myevents2', '/welcome'])(
  'When %s is opened, then it belongs to no remote',
  (path) => {
    expect(areaOf(path)).toBeUndefined()
  },
)
