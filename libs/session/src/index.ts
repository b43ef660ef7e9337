export { changePassword, register, signIn, signOut, signOutEverywhere, type Credentials } from './account.ts'
export { api, getRole, initSession, site, useSession, type Site } from './session.ts'
export { initTheme, setDefaultTheme, setTheme, toggleTheme, useTheme, type Theme } from './theme.ts'
