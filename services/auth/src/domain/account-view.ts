import type { Account as AccountView } from '@confetti/contracts'
import type { Account } from './user.ts'

/** An account as admins see it. */
export const toAccountView = ({
  user,
  isActive,
  createdAt,
  lastSignInAt,
  invitedAt,
}: Account): AccountView => ({
  ...user,
  active: isActive,
  createdAt: createdAt.toISOString(),
  ...(lastSignInAt && { lastSignInAt: lastSignInAt.toISOString() }),
  ...(invitedAt && { invitedAt: invitedAt.toISOString() }),
})
