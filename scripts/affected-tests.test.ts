import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { affectedTests } from './affected-tests.ts'
import { parseLockfile } from './lockfile.ts'
import { root } from './paths.ts'

const lockfile = parseLockfile(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const journeys = ['e2e/journeys', 'simulation/']

test.each([
  ['services/uploads/src/erasure/sweep.ts', { paths: ['services/uploads/', ...journeys], ops: false }],
  ['services/contact/src/config.ts', { paths: ['services/contact/', ...journeys], ops: true }],
  ['frontends/admin/src/app.tsx', { paths: ['frontends/admin/', 'e2e/.*browser'], ops: false }],
  ['k8s/base/media/deployment.yaml', { paths: [], ops: true }],
  ['CONTRIBUTING.md', { paths: [], ops: false }],
  ['scripts/run.mjs', { paths: [], ops: false }],
])('When %s changes, then the tests of what is built from it run', (file, tests) => {
  expect(affectedTests(lockfile, [file])).toEqual(tests)
})

test('When a library of all frontends changes, then the tests of all of them run', () => {
  const { paths } = affectedTests(lockfile, ['libs/ui/src/toaster.tsx'])
  expect(paths.toSorted()).toEqual([
    'e2e/.*browser',
    'frontends/admin/',
    'frontends/organiser/',
    'frontends/public/',
    'frontends/shell/',
  ])
})
