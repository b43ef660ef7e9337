import type { ReactNode } from 'react'
import type { Role } from '@confetti/contracts'
import { Navigate, useLocation } from '@confetti/federation/router'
import { roleOf, useSession } from '@confetti/session'
import { Loading } from '@confetti/ui/loading'

interface Props {
  /** Whom to let in; anybody who is signed in where this is missing. */
  roles: readonly Role[] | undefined
  children: ReactNode
}

/** Lets members in: others to /login, which knows the way back, and those without the role to the start. */
export const Guard = ({ roles, children }: Props) => {
  const location = useLocation()
  const { status, user, leftOnPurpose } = useSession()
  if (status === 'restoring') return <Loading />
  if (!user) return <Navigate to="/login" replace state={leftOnPurpose ? null : { from: location }} />
  if (roles && !roles.includes(roleOf(user))) return <Navigate to="/" replace />
  return children
}
