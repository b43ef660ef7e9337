import { createServiceApp } from '@confetti/service-kit'
import { getUserRoute } from './routes/get-user.ts'
import { listSigningKeysRoute } from './routes/list-signing-keys.ts'
import { listUsersRoute } from './routes/list-users.ts'
import { loginRoute } from './routes/login.ts'
import { logoutRoute } from './routes/logout.ts'
import { refreshRoute } from './routes/refresh.ts'
import { registerRoute } from './routes/register.ts'

type Deps = Parameters<typeof registerRoute>[0] &
  Parameters<typeof loginRoute>[0] &
  Parameters<typeof refreshRoute>[0] &
  Parameters<typeof logoutRoute>[0] &
  Parameters<typeof listUsersRoute>[0] &
  Parameters<typeof getUserRoute>[0] &
  Parameters<typeof listSigningKeysRoute>[0] &
  Omit<Parameters<typeof createServiceApp>[0], 'routes'>

/** The HTTP side of auth. */
export const createApp = (deps: Deps) =>
  createServiceApp({
    ...deps,
    routes: [
      registerRoute(deps),
      loginRoute(deps),
      refreshRoute(deps),
      logoutRoute(deps),
      listUsersRoute(deps),
      getUserRoute(deps),
      listSigningKeysRoute(deps),
    ],
  })
