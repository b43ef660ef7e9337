import type { Role } from '@confetti/contracts'
import { Navigate, useLocation } from '@confetti/federation/router'
import { getRole, useSession } from '@confetti/session'
import { Loading } from '@confetti/ui/loading'
import { useEffect, useState, type ReactNode } from 'react'

export const WELCOME_PATH = '/welcome'

interface Props {
  /** The roles that may see the children; every signed-in user if this is missing. */
  roles: readonly Role[] | undefined
  children: ReactNode
}

/**
 * Redirects to /login. The location state has the requested page and its roles, so that the sign-in returns to it. Right
 * after a sign-out by the user it has none.
 */
const RedirectToLogin = ({ roles }: Pick<Props, 'roles'>) => {
  const location = useLocation()
  const [state] = useState(() => (useSession.getState().signedOutByUser ? null : { from: location, roles }))
  useEffect(() => useSession.setState({ signedOutByUser: false }), [])
  return <Navigate to="/login" replace state={state} />
}

/** Shows its children to users with one of the roles. Redirects guests to /login, and other users to the start page. */
export const Guard = ({ roles, children }: Props) => {
  const { status, user } = useSession()
  if (status === 'restoring') return <Loading />
  if (!user) return <RedirectToLogin roles={roles} />
  if (roles && !roles.includes(getRole(user))) return <Navigate to="/" replace />
  return children
}
