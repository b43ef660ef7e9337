import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@confetti/launcher'
import { expect, test } from '@jest/globals'
import { affectedFrontends, affectedServices, type Part } from './affected-parts.ts'
import { parseLockfile, type LockedPackages } from './lockfile.ts'
import { root } from './paths.ts'

const lockfile = parseLockfile(readFileSync(join(root, 'package-lock.json'), 'utf8'))

const names = (parts: readonly Part[]): string[] => parts.map(({ name }) => name).toSorted()

const affectedParts = (before: LockedPackages, after: LockedPackages): string[] =>
  names([...affectedServices(before, after, []), ...affectedFrontends(before, after)])

/** The names of the parts that run if one entry of the lockfile changes. */
const affectedBy = (folder: string, change: LockedPackages[string]): string[] => {
  expect(lockfile).toHaveProperty([folder])
  return affectedParts(lockfile, { ...lockfile, [folder]: { ...lockfile[folder], ...change } })
}

const services = [...serviceNames].toSorted()

const newRelease = { version: '999.0.0', integrity: 'sha512-other' }

test.each([
  ['busboy', ['uploads']],
  ['sharp', ['media', 'uploads']],
  ['jszip', ['admin', 'organiser', 'public']],
  ['react-refresh', ['admin', 'organiser', 'public', 'shell']],
  ['jest', []],
])('When %s changes in the lockfile, then only the pipelines of its users run', (name, parts) => {
  expect(affectedBy(`node_modules/${name}`, newRelease)).toEqual(parts)
})

test('When the bundler changes in the lockfile, then the pipelines of all parts run', () => {
  expect(affectedBy('node_modules/@rspack/core', newRelease)).toEqual(affectedParts({}, lockfile))
})

test('When a package moves that another package needs, then the pipelines of its users run', () => {
  const { 'node_modules/streamsearch': moved, ...others } = lockfile
  expect(moved).toBeDefined()
  const after = { ...others, 'node_modules/busboy/node_modules/streamsearch': { ...moved, ...newRelease } }
  expect(affectedServices(lockfile, after, [])).toEqual([{ name: 'uploads', folder: 'services/uploads' }])
})

test('Every service is a part', () => {
  expect(names(affectedServices({}, lockfile, []))).toEqual(services)
})

test('When the version of a part is raised, then the lockfile runs no pipeline', () => {
  expect(affectedBy('services/uploads', { version: '0.2.0' })).toEqual([])
  expect(affectedBy('frontends/admin', { version: '0.2.0' })).toEqual([])
})

test.each([
  ['services/uploads/src/main.ts', ['uploads']],
  ['gateway/test/proxy.test.ts', ['gateway']],
  ['libs/blob-storage/src/index.ts', ['media', 'notifications', 'uploads']],
  ['libs/messaging/src/topology.ts', services.filter((name) => name !== 'gateway')],
  ['libs/bundler/src/index.ts', services],
  ['libs/ui/src/button.tsx', []],
  ['services/uploads/README.md', []],
  ['docs/operations.md', []],
  ['images/service.Dockerfile', services],
  ['.github/workflows/service.yml', services],
  ['.github/workflows/frontend.yml', []],
])('When %s changes, then only the pipelines of the services that are made from it run', (file, expected) => {
  expect(names(affectedServices(lockfile, lockfile, [file]))).toEqual(expected)
})
