export { register, signIn, signOut, type Credentials } from './account.ts'
export { api, openSession, roleOf, site, useSession, type Site } from './session.ts'
export { openTheme, setTheme, toggleTheme, useTheme, type Theme } from './theme.ts'
