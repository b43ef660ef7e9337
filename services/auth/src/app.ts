import { createServiceApp, type ServiceAppOptions } from '@confetti/service-kit'
import { acceptInvitationRoute, type AcceptInvitationDeps } from './routes/accept-invitation.ts'
import { changePasswordRoute, type ChangePasswordDeps } from './routes/change-password.ts'
import { eraseUserRoute, type EraseUserDeps } from './routes/erase-user.ts'
import { forgotPasswordRoute, type ForgotPasswordDeps } from './routes/forgot-password.ts'
import { getAuthSettingsRoute, type GetAuthSettingsDeps } from './routes/get-auth-settings.ts'
import { getUserRoute, type GetUserDeps } from './routes/get-user.ts'
import { inviteUserRoute, type InviteUserDeps } from './routes/invite-user.ts'
import { listAuditRoute, type ListAuditDeps } from './routes/list-audit.ts'
import { listAccountsRoute, type ListAccountsDeps } from './routes/list-accounts.ts'
import { listRevokedTokensRoute, type ListRevokedTokensDeps } from './routes/list-revoked-tokens.ts'
import { listSigningKeysRoute, type ListSigningKeysDeps } from './routes/list-signing-keys.ts'
import { listUsersRoute, type ListUsersDeps } from './routes/list-users.ts'
import { loginRoute, type LoginDeps } from './routes/login.ts'
import { logoutAllRoute, type LogoutAllDeps } from './routes/logout-all.ts'
import { logoutRoute, type LogoutDeps } from './routes/logout.ts'
import { refreshRoute, type RefreshDeps } from './routes/refresh.ts'
import { registerRoute, type RegisterDeps } from './routes/register.ts'
import { resetPasswordRoute, type ResetPasswordDeps } from './routes/reset-password.ts'
import { sendPasswordResetRoute, type SendPasswordResetDeps } from './routes/send-password-reset.ts'
import { updateUserRoute, type UpdateUserDeps } from './routes/update-user.ts'

type Deps = Omit<ServiceAppOptions, 'routes'> &
  RegisterDeps &
  LoginDeps &
  RefreshDeps &
  LogoutDeps &
  ListUsersDeps &
  GetUserDeps &
  ListSigningKeysDeps &
  GetAuthSettingsDeps &
  ChangePasswordDeps &
  LogoutAllDeps &
  ForgotPasswordDeps &
  ResetPasswordDeps &
  AcceptInvitationDeps &
  ListAccountsDeps &
  InviteUserDeps &
  UpdateUserDeps &
  SendPasswordResetDeps &
  EraseUserDeps &
  ListAuditDeps &
  ListRevokedTokensDeps

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
      getAuthSettingsRoute(deps),
      changePasswordRoute(deps),
      logoutAllRoute(deps),
      forgotPasswordRoute(deps),
      resetPasswordRoute(deps),
      acceptInvitationRoute(deps),
      listAccountsRoute(deps),
      inviteUserRoute(deps),
      updateUserRoute(deps),
      sendPasswordResetRoute(deps),
      eraseUserRoute(deps),
      listAuditRoute(deps),
      listRevokedTokensRoute(deps),
    ],
  })
