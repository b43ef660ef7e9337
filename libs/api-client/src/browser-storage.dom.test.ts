import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { browserStorage } from './browser-storage.ts'

beforeEach(() => {
  localStorage.clear()
  browserStorage.set('accessToken', 'old')
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  })
  browserStorage.set('accessToken', 'new')
})
afterEach(() => {
  jest.restoreAllMocks()
  browserStorage.remove('accessToken')
})

test('When a write fails, then the new value is read, not the old one that is still stored', () => {
  expect(localStorage.getItem('accessToken')).toBe('old')
  expect(browserStorage.get('accessToken')).toBe('new')
})

test('When a write succeeds again, then its value is read', () => {
  jest.restoreAllMocks()
  browserStorage.set('accessToken', 'newest')
  expect(browserStorage.get('accessToken')).toBe('newest')
})

test('When another tab changes or removes the value afterwards, then its change is read', () => {
  localStorage.removeItem('accessToken')
  expect(browserStorage.get('accessToken')).toBeUndefined()
  jest.restoreAllMocks()
  localStorage.setItem('accessToken', 'of another tab')
  expect(browserStorage.get('accessToken')).toBe('of another tab')
})
