import { stored } from '@confetti/api-client'
import { create } from 'zustand'

export type Theme = 'light' | 'dark' | 'system'

// The shell's page reads the same key before its first paint.
const KEY = 'ui-theme'
const darkDevice = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

const isTheme = (text: string | undefined): text is Theme =>
  text === 'light' || text === 'dark' || text === 'system'

/** The saved theme; light where nothing is saved. */
export const savedTheme = (): Theme => {
  const text = stored.get(KEY)
  return isTheme(text) ? text : 'light'
}

const shown = (theme: Theme): 'light' | 'dark' =>
  theme === 'system' ? (darkDevice().matches ? 'dark' : 'light') : theme

export const useTheme = create<{ theme: Theme; shown: 'light' | 'dark' }>(() => ({
  theme: 'light',
  shown: 'light',
}))

const apply = (theme: Theme): void => {
  const { classList } = document.documentElement
  classList.remove('light', 'dark')
  classList.add(shown(theme))
  const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper')
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', paper)
  useTheme.setState({ theme, shown: shown(theme) })
}

export const setTheme = (theme: Theme): void => {
  stored.set(KEY, theme)
  apply(theme)
}

/** To light or dark: the other one than the page shows now. */
export const toggleTheme = (): void =>
  setTheme(document.documentElement.classList.contains('dark') ? 'light' : 'dark')

/** Shows the saved theme, and follows the device and other tabs. */
export const openTheme = (): void => {
  apply(savedTheme())
  darkDevice().addEventListener('change', () => apply(savedTheme()))
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) apply(savedTheme())
  })
}
