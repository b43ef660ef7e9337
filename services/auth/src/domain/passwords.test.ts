import { expect, test } from '@jest/globals'
import { createPasswords } from './passwords.ts'

test('A password matches its own hash alone', async () => {
  const passwords = await createPasswords({ atOnce: 2, waiting: 2 })
  const hash = await passwords.hash('secret')
  expect(await passwords.matches('secret', hash)).toBe(true)
  expect(await passwords.matches('Secret', hash)).toBe(false)
  expect(await passwords.matches('secret', undefined)).toBe(false)
})

test('When too many wait already, then the next is asked to come again', async () => {
  const passwords = await createPasswords({ atOnce: 1, waiting: 1 })
  const busy = [passwords.hash('one'), passwords.hash('two')]
  await expect(passwords.hash('three')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 3 })
  await Promise.all(busy)
  await expect(passwords.hash('four')).resolves.toContain('$argon2id$')
})
