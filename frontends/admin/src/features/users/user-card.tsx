import type { Ref } from 'react'
import type { Account } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { Skeleton } from '@confetti/ui/skeleton'
import styles from './user-card.module.css'

export type UserAction = 'promote' | 'demote' | 'activate' | 'deactivate' | 'invite' | 'reset' | 'erase'

const labels: Readonly<Record<UserAction, string>> = {
  promote: 'Make admin',
  demote: 'Make organiser',
  activate: 'Activate',
  deactivate: 'Deactivate',
  invite: 'Invite again',
  reset: 'Reset password',
  erase: 'Erase',
}

/** What can be done with an account. */
const actionsFor = ({ role, active, invitedAt }: Account): UserAction[] => [
  ...(invitedAt !== undefined ? (['invite'] as const) : []),
  role === 'admin' ? 'demote' : 'promote',
  active ? 'deactivate' : 'activate',
  ...(active && invitedAt === undefined ? (['reset'] as const) : []),
  'erase',
]

const formatDay = (time: string): string => new Date(time).toLocaleDateString()

const lastSignIn = ({ lastSignInAt, invitedAt }: Account): string => {
  if (lastSignInAt !== undefined) return `last signed in ${formatDay(lastSignInAt)}`
  return invitedAt === undefined ? 'no sign-in recorded' : `invited ${formatDay(invitedAt)}`
}

interface Props {
  account: Account
  isOwn: boolean
  busy: boolean
  headingRef?: Ref<HTMLHeadingElement> | undefined
  onAction: (action: UserAction, account: Account) => void
}

/** One account with its state and what can be done with it. */
export const UserCard = ({ account, isOwn, busy, headingRef, onAction }: Props) => {
  const { email, role, active, createdAt, invitedAt } = account
  return (
    <Card as="li" className={styles.card} aria-busy={busy}>
      <h2 ref={headingRef} tabIndex={-1} className={styles.email}>
        {email}
      </h2>
      <p className={styles.badges}>
        <span className={styles.badge}>{role === 'admin' ? 'Admin' : 'Organiser'}</span>
        {isOwn && <span className={styles.badge}>You</span>}
        {invitedAt !== undefined && <span className={`${styles.badge} ${styles.invited}`}>Invited</span>}
        {!active && <span className={`${styles.badge} ${styles.inactive}`}>Deactivated</span>}
      </p>
      <p className={styles.times}>
        Created {formatDay(createdAt)}, {lastSignIn(account)}
      </p>
      <div role="group" aria-label={`Actions for ${email}`} className={styles.actions}>
        {actionsFor(account).map((action) => (
          <Button
            key={action}
            size="small"
            variant={action === 'erase' ? 'danger' : 'outline'}
            aria-disabled={busy}
            onClick={() => {
              if (!busy) onAction(action, account)
            }}
          >
            {labels[action]}
          </Button>
        ))}
      </div>
    </Card>
  )
}

/** A card in the loading state. */
export const UserSkeleton = () => (
  <Card className={styles.card}>
    <Skeleton width="min(18em, 70%)" height="24px" />
    <Skeleton width="6em" height="24px" />
    <Skeleton width="14em" height="16px" />
    <div className={styles.actions}>
      <Skeleton width="min(16em, 80%)" height="44px" />
    </div>
  </Card>
)
