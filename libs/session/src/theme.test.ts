/** @jest-environment jsdom */
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openTheme, savedTheme, setTheme, toggleTheme, useTheme } from './theme.ts'

const device = Object.assign(new EventTarget(), { matches: false })
const deviceTurns = (dark: boolean): void => {
  device.matches = dark
  device.dispatchEvent(new Event('change'))
}
const classes = () => document.documentElement.className

beforeAll(() => {
  window.matchMedia = () => device as unknown as MediaQueryList
  openTheme()
})
beforeEach(() => {
  localStorage.clear()
  document.documentElement.className = 'some-class'
})
afterEach(() => {
  device.matches = false
})

test('When nothing is saved, then the page is light, whatever the device is', () => {
  device.matches = true
  openTheme()
  expect(savedTheme()).toBe('light')
  expect(classes()).toBe('some-class light')
})

test('When something else than a theme is saved, then the page is light', () => {
  localStorage.setItem('ui-theme', 'purple')
  openTheme()
  expect(classes()).toBe('some-class light')
})

test('When a theme is chosen, then it is saved and the root has its class alone', () => {
  setTheme('light')
  setTheme('dark')
  expect(localStorage.getItem('ui-theme')).toBe('dark')
  expect(classes()).toBe('some-class dark')
  expect(useTheme.getState()).toEqual({ theme: 'dark', shown: 'dark' })
})

test('When a theme was saved, then the page opens with it', () => {
  localStorage.setItem('ui-theme', 'dark')
  openTheme()
  expect(classes()).toBe('some-class dark')
})

test('When it is toggled, then it goes from what the page shows to the other', () => {
  device.matches = true
  setTheme('system')
  expect(classes()).toBe('some-class dark')
  toggleTheme()
  expect(classes()).toBe('some-class light')
  expect(localStorage.getItem('ui-theme')).toBe('light')
  toggleTheme()
  expect(localStorage.getItem('ui-theme')).toBe('dark')
})

test('When the theme is that of the system, then the page follows the device', () => {
  setTheme('system')
  expect(classes()).toBe('some-class light')
  deviceTurns(true)
  expect(classes()).toBe('some-class dark')
  expect(useTheme.getState()).toEqual({ theme: 'system', shown: 'dark' })
  deviceTurns(false)
  expect(classes()).toBe('some-class light')
})

test('When a theme was chosen, then the device changes nothing', () => {
  setTheme('light')
  deviceTurns(true)
  expect(classes()).toBe('some-class light')
})

test('When another tab chooses a theme, then this one shows it, too', () => {
  setTheme('light')
  localStorage.setItem('ui-theme', 'dark')
  window.dispatchEvent(new StorageEvent('storage', { key: 'ui-theme' }))
  expect(classes()).toBe('some-class dark')
})
