import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { affectedParts } from './affected-parts.ts'
import { parseLockfile, type LockedPackages } from './lockfile.ts'
import { root } from './paths.ts'

const lockfile = parseLockfile(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** The names of the parts that run if one entry of the lockfile changes. */
const affectedBy = (folder: string, change: LockedPackages[string]): string[] => {
  expect(lockfile).toHaveProperty([folder])
  const { services, frontends } = affectedParts(lockfile, {
    ...lockfile,
    [folder]: { ...lockfile[folder], ...change },
  })
  return [...services, ...frontends].map(({ name }) => name).toSorted()
}

const newRelease = { version: '999.0.0', integrity: 'sha512-other' }

test.each([
  ['busboy', ['uploads']],
  ['sharp', ['media']],
  ['jszip', ['admin', 'organiser', 'public']],
  ['react-refresh', ['admin', 'organiser', 'public', 'shell']],
  ['jest', []],
])('When %s changes in the lockfile, then only the pipelines of its users run', (name, parts) => {
  expect(affectedBy(`node_modules/${name}`, newRelease)).toEqual(parts)
})

test('When the bundler changes in the lockfile, then the pipelines of all parts run', () => {
  const parts = affectedParts({}, lockfile)
  const names = [...parts.services, ...parts.frontends].map(({ name }) => name).toSorted()
  expect(affectedBy('node_modules/@rspack/core', newRelease)).toEqual(names)
})

test('When a package moves that another package needs, then the pipelines of its users run', () => {
  const { 'node_modules/streamsearch': moved, ...others } = lockfile
  expect(moved).toBeDefined()
  const after = { ...others, 'node_modules/busboy/node_modules/streamsearch': { ...moved, ...newRelease } }
  expect(affectedParts(lockfile, after).services).toEqual([{ name: 'uploads', folder: 'services/uploads' }])
})

test('When the version of a part is raised, then the lockfile runs no pipeline', () => {
  expect(affectedBy('services/uploads', { version: '0.2.0' })).toEqual([])
  expect(affectedBy('frontends/admin', { version: '0.2.0' })).toEqual([])
})
