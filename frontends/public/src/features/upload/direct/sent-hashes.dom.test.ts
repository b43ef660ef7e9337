import { beforeEach, expect, test } from '@jest/globals'
import { rememberSent, wasSent } from './try-direct-upload.ts'

const hashOf = (number: number): string => number.toString(16).padStart(16, '0') + '0'.repeat(48)

beforeEach(() => localStorage.clear())

test('When a file was sent to an event, then its hash is known there, and in no other event', () => {
  expect(wasSent('party', hashOf(1))).toBe(false)
  rememberSent('party', hashOf(1))
  rememberSent('party', hashOf(2))
  expect([wasSent('party', hashOf(1)), wasSent('party', hashOf(2))]).toEqual([true, true])
  expect(wasSent('fair', hashOf(1))).toBe(false)
})

test('When many files were sent, then the last thousand are known', () => {
  for (let number = 0; number <= 1_000; number += 1) rememberSent('party', hashOf(number))
  expect([wasSent('party', hashOf(0)), wasSent('party', hashOf(1))]).toEqual([false, true])
})
