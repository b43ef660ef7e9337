import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The test, beside the task, that shows that one item which fails stops no other; why there is none where a task has no loop over items. */
const tasks: Readonly<Record<string, string>> = {
  'auth: erasures': 'services/auth/src/accounts/erasures.test.ts',
  'auth: session sweep': 'queries that remove all at once',
  'auth: sweep of erased accounts': 'services/auth/src/accounts/accounts.test.ts',
  'auth: audit sweep': 'queries that remove all at once',
  'contact: sweep': 'queries that remove all at once',
  'contact: sweep of erased ids': 'queries that remove all at once',
  'events: sweep': 'services/events/src/erasure/sweep.test.ts',
  'media: sweep': 'queries that remove all at once',
  'notifications: abandoned mails': 'queries that mark all at once',
  'notifications: deletion notices': 'services/notifications/src/notices/deletion-notices.test.ts',
  'notifications: digests': 'services/notifications/src/digests/digests.test.ts',
  'notifications: measuring': 'reads only',
  'notifications: sweep': 'services/notifications/src/erasure.test.ts',
  'uploads: deletion': 'services/uploads/src/erasure/delete-taken-back.test.ts',
  'uploads: high-water mark': 'one mark',
  'uploads: link key': 'one key',
  'uploads: sweep': 'services/uploads/src/erasure/sweep.test.ts',
}

const tests = Object.values(tasks).filter((text) => text.endsWith('.test.ts'))

test('Each periodic task has a test in which the first item fails, or has no items', () => {
  const found = globSync('services/*/src/**/*.ts', { cwd: root }).flatMap((file) => {
    const [, service = ''] = file.split('/')
    const code = readFileSync(join(root, file), 'utf8')
    return [...code.matchAll(/runEvery\(\s*[^,]+,\s*'([^']+)'/g)].map(
      ([, task = '']) => `${service}: ${task}`,
    )
  })
  expect(found.toSorted()).toEqual(Object.keys(tasks).toSorted())
  expect(tests.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('Each periodic task with items looks whether the service stops', () => {
  const sources = tests.map((file) => file.replace('.test.ts', '.ts'))
  const isStopping = (file: string) => /\bstopping\b/.test(readFileSync(join(root, file), 'utf8'))
  expect(sources.filter((file) => !isStopping(file))).toEqual([])
})
