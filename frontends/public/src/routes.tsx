import type { RemoteRoute } from '@confetti/federation/remote'
import { Login } from './pages/login.tsx'

export const routes: readonly RemoteRoute[] = [{ path: '/login', title: 'Sign in', Component: Login }]
