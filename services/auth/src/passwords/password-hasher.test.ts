import { expect, test } from '@jest/globals'
import { createPasswordHasher } from './password-hasher.ts'

test('A password matches only its own hash', async () => {
  const passwordHasher = await createPasswordHasher({ concurrency: 2, queueLimit: 2 })
  const hash = await passwordHasher.hash('secret')
  expect(await passwordHasher.verify('secret', hash)).toBe(true)
  expect(await passwordHasher.verify('Secret', hash)).toBe(false)
  expect(await passwordHasher.verify('secret', undefined)).toBe(false)
})

test('When the queue is full, then the next password is rejected with 503', async () => {
  const passwordHasher = await createPasswordHasher({ concurrency: 1, queueLimit: 1 })
  const pending = [passwordHasher.hash('one'), passwordHasher.hash('two')]
  await expect(passwordHasher.hash('three')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 3 })
  await Promise.all(pending)
  await expect(passwordHasher.hash('four')).resolves.toContain('$argon2id$')
})
