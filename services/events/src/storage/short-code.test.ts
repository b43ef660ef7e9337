import { parseShortCode } from '@confetti/contracts'
import { expect, test } from '@jest/globals'
import { withUnusedCode } from './event-store.ts'

const duplicateKey = () => Object.assign(new Error('E11000 duplicate key error'), { code: 11_000 })

test('When an event has the code already, then another one is tried', async () => {
  const tried: string[] = []
  const written = await withUnusedCode((code) => {
    tried.push(code)
    return tried.length < 3 ? Promise.reject(duplicateKey()) : Promise.resolve(code)
  })
  expect(new Set(tried).size).toBe(3)
  expect(written).toBe(tried[2])
  for (const code of tried) expect(parseShortCode(code)).toBe(code)
})

test('When all codes that are tried are taken, then it fails after the fifth', async () => {
  let attempts = 0
  const write = () => {
    attempts += 1
    return Promise.reject(duplicateKey())
  }
  await expect(withUnusedCode(write)).rejects.toThrow('duplicate key')
  expect(attempts).toBe(5)
})

test('When writing fails for another reason, then it fails at once', async () => {
  let attempts = 0
  const write = () => {
    attempts += 1
    return Promise.reject(new Error('The database is gone'))
  }
  await expect(withUnusedCode(write)).rejects.toThrow('The database is gone')
  expect(attempts).toBe(1)
})
