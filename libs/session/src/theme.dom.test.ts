import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { initTheme, readStoredTheme, setDefaultTheme, setTheme, toggleTheme, useTheme } from './theme.ts'

const device = Object.assign(new EventTarget(), { matches: false })
const setDeviceDark = (dark: boolean): void => {
  device.matches = dark
  device.dispatchEvent(new Event('change'))
}
const classes = () => document.documentElement.className

beforeAll(() => {
  window.matchMedia = () => device as unknown as MediaQueryList
  initTheme()
})
beforeEach(() => {
  localStorage.clear()
  document.documentElement.className = 'some-class'
})
afterEach(() => {
  device.matches = false
})

test('When no theme is saved, then the page is light, also on a dark device', () => {
  device.matches = true
  initTheme()
  expect(readStoredTheme()).toBe('light')
  expect(classes()).toBe('some-class light')
})

test('When an unknown theme is saved, then the page is light', () => {
  localStorage.setItem('ui-theme', 'purple')
  initTheme()
  expect(classes()).toBe('some-class light')
})

test('When a theme is set, then it is saved and the root has only its class', () => {
  setTheme('light')
  setTheme('dark')
  expect(localStorage.getItem('ui-theme')).toBe('dark')
  expect(classes()).toBe('some-class dark')
  expect(useTheme.getState()).toEqual({ theme: 'dark', resolvedTheme: 'dark' })
})

test('When a theme is saved, then the page opens with it', () => {
  localStorage.setItem('ui-theme', 'dark')
  initTheme()
  expect(classes()).toBe('some-class dark')
})

test('When the theme is toggled, then it switches from what the page shows', () => {
  device.matches = true
  setTheme('system')
  expect(classes()).toBe('some-class dark')
  toggleTheme()
  expect(classes()).toBe('some-class light')
  expect(localStorage.getItem('ui-theme')).toBe('light')
  toggleTheme()
  expect(localStorage.getItem('ui-theme')).toBe('dark')
})

test('When the theme is system, then the page follows the device', () => {
  setTheme('system')
  expect(classes()).toBe('some-class light')
  setDeviceDark(true)
  expect(classes()).toBe('some-class dark')
  expect(useTheme.getState()).toEqual({ theme: 'system', resolvedTheme: 'dark' })
  setDeviceDark(false)
  expect(classes()).toBe('some-class light')
})

test('When the theme is light, then the page does not follow the device', () => {
  setTheme('light')
  setDeviceDark(true)
  expect(classes()).toBe('some-class light')
})

test('When no theme is saved and a page follows the device, then it does, until another page or the user ends it', () => {
  device.matches = true
  setDefaultTheme('system')
  expect(classes()).toBe('some-class dark')
  setDeviceDark(false)
  expect(classes()).toBe('some-class light')
  setDeviceDark(true)
  setDefaultTheme('light')
  expect(classes()).toBe('some-class light')
  setTheme('dark')
  device.matches = false
  setDefaultTheme('system')
  expect(classes()).toBe('some-class dark')
  setDefaultTheme('light')
})

test('When another tab sets a theme, then this tab applies it', () => {
  setTheme('light')
  localStorage.setItem('ui-theme', 'dark')
  window.dispatchEvent(new StorageEvent('storage', { key: 'ui-theme' }))
  expect(classes()).toBe('some-class dark')
})
