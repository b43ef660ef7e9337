import { describe, expect, test } from '@jest/globals'
import { areas } from './areas.ts'
import { manifestProblems, routesProblems, satisfies, type Manifest, type ShellContract } from './contract.ts'

const contract: ShellContract = {
  shell: '1.4.0',
  exposes: './routes',
  areas,
  shared: { react: '19.3.1', '@confetti/session': '1.2.0' },
}
const assets = { js: { sync: ['1.js'], async: [] }, css: { sync: [], async: [] } }
const sharing = (name: string, requiredVersion: string, singleton = true) => ({
  name,
  version: requiredVersion.slice(1),
  singleton,
  requiredVersion,
  assets,
})
const admin: Manifest = {
  name: 'confetti_admin',
  metaData: { buildInfo: { buildVersion: '2.0.0' }, remoteEntry: { name: 'remote-entry.js' } },
  exposes: [{ path: './routes', assets }],
  shared: [sharing('react', '^19'), sharing('@confetti/session', '^1.2.0')],
}

describe.each([
  ['^19', ['19.0.0', '19.3.1'], ['18.3.1', '20.0.0', '1.19.0']],
  ['^1.2.0', ['1.2.0', '1.2.9', '1.10.0'], ['1.1.9', '2.0.0', '0.1.2']],
  ['^1.2.3', ['1.2.3', '1.3.0'], ['1.2.2', '1.0.9']],
])('When %s is asked for,', (range, good, bad) => {
  test.each(good)('then %s will do', (version) => expect(satisfies(version, range)).toBe(true))
  test.each(bad)('then %s will not', (version) => expect(satisfies(version, range)).toBe(false))
})

test.each(['19', '>=18', '*', '^0.3.0', '^19 || ^20', ''])(
  'When a range is written as %j, then nothing satisfies it, since nobody here writes it so',
  (range) => expect(satisfies('19.3.1', range)).toBe(false),
)

test('When a manifest asks for what the shell has, then there is no problem', () => {
  expect(manifestProblems(contract, 'admin', admin)).toEqual([])
})

test.each<[string, Partial<Manifest>, string]>([
  ['has another name', { name: 'confetti_public' }, 'It is named confetti_public instead of confetti_admin.'],
  ['exposes something else', { exposes: [{ path: './pages', assets }] }, 'It does not expose ./routes.'],
  ['brings its own React unseen', { shared: [] }, 'It does not share react.'],
  [
    'was built with the next major of React',
    { shared: [sharing('react', '^20')] },
    'It needs react ^20; the shell has 19.3.1.',
  ],
  [
    'calls what a newer session has',
    { shared: [sharing('react', '^19'), sharing('@confetti/session', '^1.3.0')] },
    'It needs @confetti/session ^1.3.0; the shell has 1.2.0.',
  ],
  [
    'shares what the shell does not know',
    { shared: [sharing('react', '^19'), sharing('redux', '^5')] },
    'It shares redux, which the shell does not have.',
  ],
  [
    'may have two Reacts',
    { shared: [sharing('react', '^19', false)] },
    'It would bring a react of its own: it is no singleton.',
  ],
])('When a remote %s, then that is said', (_, change, problem) => {
  expect(manifestProblems(contract, 'admin', { ...admin, ...change })).toEqual([problem])
})

const page = () => Promise.resolve(() => null)

test('When routes are the remote’s own and complete, then there is no problem', () => {
  const paths = ['/events', '/events/:eventId', '/admin/event-uploads']
  expect(
    routesProblems(
      contract,
      'admin',
      paths.map((path) => ({ path, title: 'A page', page })),
    ),
  ).toEqual([])
})

test.each<[string, object, string]>([
  ['has no path', { title: 'Events', page }, 'Route 1 has no path from the root.'],
  [
    'has a path from nowhere',
    { path: 'events', title: 'Events', page },
    'Route 1 has no path from the root.',
  ],
  ['has no title', { path: '/events', page }, '/events has no title.'],
  [
    'has an element instead of a page',
    { path: '/events', title: 'Events', page: {} },
    '/events has no page() that brings its code.',
  ],
  [
    'is somebody else’s',
    { path: '/myevents', title: 'Events', page },
    '/myevents is not an address of admin.',
  ],
  [
    'only begins like its own',
    { path: '/eventsandmore', title: 'Events', page },
    '/eventsandmore is not an address of admin.',
  ],
])('When a route %s, then that is said', (_, route, problem) => {
  expect(routesProblems(contract, 'admin', [route])).toEqual([problem])
})

test('When an address is there twice, then that is said once', () => {
  const route = { path: '/events', title: 'Events', page }
  expect(routesProblems(contract, 'admin', [route, route])).toEqual(['/events is there twice.'])
})

test('When the public remote lacks a page that others link to, then that is said', () => {
  const paths = ['/', '/login', '/register', '/thank-you']
  expect(
    routesProblems(
      contract,
      'public',
      paths.map((path) => ({ path, title: 'A page', page })),
    ),
  ).toEqual(['It has no page for /upload.'])
})
