import { browserStorage } from '@confetti/api-client'
import { create } from 'zustand'

export type Theme = 'light' | 'dark' | 'system'
type ResolvedTheme = Exclude<Theme, 'system'>

// The inline script of the shell's index.html reads the same key before the first paint.
const STORAGE_KEY = 'ui-theme'
const darkModeQuery = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

const isTheme = (text: string | undefined): text is Theme =>
  text === 'light' || text === 'dark' || text === 'system'

/** The theme where none is saved. */
let defaultTheme: Theme = 'light'

/** Returns the saved theme, or the default. */
export const readStoredTheme = (): Theme => {
  const text = browserStorage.get(STORAGE_KEY)
  return isTheme(text) ? text : defaultTheme
}

const resolveTheme = (theme: Theme): ResolvedTheme =>
  theme === 'system' ? (darkModeQuery().matches ? 'dark' : 'light') : theme

/** `theme` is the user's choice; `resolvedTheme` is what the page shows. */
export const useTheme = create<{ theme: Theme; resolvedTheme: ResolvedTheme }>(() => ({
  theme: 'light',
  resolvedTheme: 'light',
}))

const applyTheme = (theme: Theme): void => {
  const resolvedTheme = resolveTheme(theme)
  const { classList } = document.documentElement
  classList.remove('light', 'dark')
  classList.add(resolvedTheme)
  const background = getComputedStyle(document.documentElement).getPropertyValue('--paper')
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', background)
  useTheme.setState({ theme, resolvedTheme })
}

export const setTheme = (theme: Theme): void => {
  browserStorage.set(STORAGE_KEY, theme)
  applyTheme(theme)
}

/** Switches between light and dark, starting from what the page shows. */
export const toggleTheme = (): void =>
  setTheme(document.documentElement.classList.contains('dark') ? 'light' : 'dark')

/** Sets the theme of a page where none is saved, and applies it. */
export const setDefaultTheme = (theme: Theme): void => {
  if (theme === defaultTheme) return
  defaultTheme = theme
  applyTheme(readStoredTheme())
}

/** Applies the saved theme, and follows changes of the device's theme and of other tabs. */
export const initTheme = (): void => {
  applyTheme(readStoredTheme())
  darkModeQuery().addEventListener('change', () => applyTheme(readStoredTheme()))
  window.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY) applyTheme(readStoredTheme())
  })
}
