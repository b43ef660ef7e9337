import { useEffect, useState, type ReactNode } from 'react'
import type { Role } from '@confetti/contracts'
import { Navigate, useLocation } from '@confetti/federation/router'
import { roleOf, useSession } from '@confetti/session'
import { Loading } from '@confetti/ui/loading'

interface Props {
  /** Whom to let in; anybody who is signed in where this is missing. */
  roles: readonly Role[] | undefined
  children: ReactNode
}

/** To /login, with the way back and whom it is for; after a sign-out, the once, without. */
const ToLogin = ({ roles }: Pick<Props, 'roles'>) => {
  const location = useLocation()
  const [state] = useState(() => (useSession.getState().leftOnPurpose ? null : { from: location, roles }))
  useEffect(() => useSession.setState({ leftOnPurpose: false }), [])
  return <Navigate to="/login" replace state={state} />
}

/** Lets members in: others to /login, which knows the way back, and those without the role to the start. */
export const Guard = ({ roles, children }: Props) => {
  const { status, user } = useSession()
  if (status === 'restoring') return <Loading />
  if (!user) return <ToLogin roles={roles} />
  if (roles && !roles.includes(roleOf(user))) return <Navigate to="/" replace />
  return children
}
