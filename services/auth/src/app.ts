import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { getUserRoute, type GetUserDeps } from './routes/get-user.ts'
import { listSigningKeysRoute, type ListSigningKeysDeps } from './routes/list-signing-keys.ts'
import { listUsersRoute, type ListUsersDeps } from './routes/list-users.ts'
import { loginRoute, type LoginDeps } from './routes/login.ts'
import { logoutRoute, type LogoutDeps } from './routes/logout.ts'
import { refreshRoute, type RefreshDeps } from './routes/refresh.ts'
import { registerRoute, type RegisterDeps } from './routes/register.ts'

type Deps = Omit<ServiceAppOptions, 'routes'> &
  RegisterDeps &
  LoginDeps &
  RefreshDeps &
  LogoutDeps &
  ListUsersDeps &
  GetUserDeps &
  ListSigningKeysDeps

/** The HTTP API of the auth service. */
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
