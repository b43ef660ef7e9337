import { describe, expect, test } from '@jest/globals'
import {
  findManifestProblems,
  findRouteProblems,
  satisfies,
  type Manifest,
  type ShellContract,
} from './contract.ts'
import { routeGroups } from './route-groups.ts'

const contract: ShellContract = {
  shell: '1.4.0',
  exposes: './routes',
  areas: routeGroups,
  shared: { react: '19.3.1', '@confetti/session': '1.2.0' },
}
const assets = { js: { sync: ['1.js'], async: [] }, css: { sync: [], async: [] } }
const share = (name: string, requiredVersion: string, singleton = true) => ({
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
  shared: [share('react', '^19'), share('@confetti/session', '^1.2.0')],
}

describe.each([
  ['^19', ['19.0.0', '19.3.1'], ['18.3.1', '20.0.0', '1.19.0']],
  ['^1.2.0', ['1.2.0', '1.2.9', '1.10.0'], ['1.1.9', '2.0.0', '0.1.2']],
  ['^1.2.3', ['1.2.3', '1.3.0'], ['1.2.2', '1.0.9']],
])('When the range is %s,', (range, matching, others) => {
  test.each(matching)('then %s satisfies it', (version) => expect(satisfies(version, range)).toBe(true))
  test.each(others)('then %s does not satisfy it', (version) => expect(satisfies(version, range)).toBe(false))
})

test.each(['19', '>=18', '*', '^0.3.0', '^19 || ^20', ''])(
  'When the range is %j, then no version satisfies it, because the format is not supported',
  (range) => expect(satisfies('19.3.1', range)).toBe(false),
)

test('When the shell has what a manifest requires, then there is no problem', () => {
  expect(findManifestProblems(contract, 'admin', admin)).toEqual([])
})

test.each<[string, Partial<Manifest>, string]>([
  ['has another name', { name: 'confetti_public' }, 'It is named confetti_public instead of confetti_admin.'],
  ['exposes something else', { exposes: [{ path: './pages', assets }] }, 'It does not expose ./routes.'],
  ['does not share React', { shared: [] }, 'It does not share react.'],
  [
    'was built with the next major of React',
    { shared: [share('react', '^20')] },
    'It needs react ^20; the shell has 19.3.1.',
  ],
  [
    'requires a newer session',
    { shared: [share('react', '^19'), share('@confetti/session', '^1.3.0')] },
    'It needs @confetti/session ^1.3.0; the shell has 1.2.0.',
  ],
  [
    'shares a package that the shell does not have',
    { shared: [share('react', '^19'), share('redux', '^5')] },
    'It shares redux, which the shell does not have.',
  ],
  [
    'shares React, but not as a singleton',
    { shared: [share('react', '^19', false)] },
    'It shares react, but not as a singleton.',
  ],
])('When a remote %s, then the problem is reported', (_, change, problem) => {
  expect(findManifestProblems(contract, 'admin', { ...admin, ...change })).toEqual([problem])
})

const page = () => Promise.resolve(() => null)

test('When all routes belong to the remote, then there is no problem', () => {
  const paths = ['/events', '/events/:eventId', '/admin/event-uploads']
  expect(
    findRouteProblems(
      contract,
      'admin',
      paths.map((path) => ({ path, title: 'A page', page })),
    ),
  ).toEqual([])
})

test.each<[string, object, string]>([
  ['has no path', { title: 'Events', page }, 'Route 1 has no absolute path.'],
  ['has a relative path', { path: 'events', title: 'Events', page }, 'Route 1 has no absolute path.'],
  ['has no title', { path: '/events', page }, '/events has no title.'],
  [
    'has an element instead of a page',
    { path: '/events', title: 'Events', page: {} },
    '/events has no page() function.',
  ],
  [
    'belongs to another remote',
    { path: '/myevents', title: 'Events', page },
    '/myevents is not a path of admin.',
  ],
  [
    'has a path that only starts like one of the remote’s',
    { path: '/eventsandmore', title: 'Events', page },
    '/eventsandmore is not a path of admin.',
  ],
])('When a route %s, then the problem is reported', (_, route, problem) => {
  expect(findRouteProblems(contract, 'admin', [route])).toEqual([problem])
})

test('When a path is defined twice, then the problem is reported once', () => {
  const route = { path: '/events', title: 'Events', page }
  expect(findRouteProblems(contract, 'admin', [route, route])).toEqual(['/events is defined twice.'])
})

test('When the public remote lacks a page that others link to, then the problem is reported', () => {
  const allPaths = routeGroups.find(({ remote }) => remote === 'public')?.paths ?? []
  const paths = allPaths.filter((path) => path !== '/upload')
  expect(
    findRouteProblems(
      contract,
      'public',
      paths.map((path) => ({ path, title: 'A page', page })),
    ),
  ).toEqual(['It has no page for /upload.'])
})
