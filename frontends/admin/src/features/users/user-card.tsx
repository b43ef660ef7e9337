import type { Ref } from 'react'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import Trash2 from 'lucide-react/icons/trash-2'
import type { Account } from '@confetti/contracts'
import { getFormatLocale } from '@confetti/i18n'
import { Button, IconButton } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { Menu } from '@confetti/ui/menu'
import { Skeleton } from '@confetti/ui/skeleton'
import { useText, type Text, type TextId } from '../../texts.ts'
import { roleNames } from './users-api.ts'
import styles from './user-card.module.css'

export type UserAction = 'promote' | 'demote' | 'activate' | 'deactivate' | 'invite' | 'reset' | 'erase'

export const actionLabels = {
  promote: 'admin.users.promote',
  demote: 'admin.users.demote',
  activate: 'admin.users.activate',
  deactivate: 'admin.users.deactivate',
  invite: 'admin.users.inviteAgain',
  reset: 'admin.users.resetPassword',
  erase: 'admin.users.erase',
} as const satisfies Record<UserAction, TextId>

/** What can be done with an account, besides erasing it. */
const actionsFor = ({ role, active, invitedAt }: Account): UserAction[] => [
  ...(invitedAt !== undefined ? (['invite'] as const) : []),
  role === 'admin' ? 'demote' : 'promote',
  active ? 'deactivate' : 'activate',
  ...(active && invitedAt === undefined ? (['reset'] as const) : []),
]

const formatDay = (time: string): string => new Date(time).toLocaleDateString(getFormatLocale())

/** When an account was created, and when it was last used or else invited. */
const describeTimes = ({ createdAt, lastSignInAt, invitedAt }: Account, t: Text): string => {
  const created = formatDay(createdAt)
  if (lastSignInAt !== undefined)
    return t('admin.users.times.signedIn', { created, signedIn: formatDay(lastSignInAt) })
  return invitedAt === undefined
    ? t('admin.users.times.neverSignedIn', { created })
    : t('admin.users.times.invited', { created, invited: formatDay(invitedAt) })
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
  const t = useText()
  const { email, role, active, invitedAt } = account
  return (
    <Card as="li" className={styles.card} aria-busy={busy}>
      <h2 ref={headingRef} tabIndex={-1} className={styles.email}>
        {email}
      </h2>
      <p className={styles.badges}>
        <span className={styles.badge}>{t(roleNames[role])}</span>
        {isOwn && <span className={styles.badge}>{t('admin.users.you')}</span>}
        {invitedAt !== undefined && (
          <span className={`${styles.badge} ${styles.invited}`}>{t('admin.users.invited')}</span>
        )}
        {!active && (
          <span className={`${styles.badge} ${styles.inactive}`}>{t('admin.users.deactivated')}</span>
        )}
      </p>
      <p className={styles.times}>{describeTimes(account, t)}</p>
      <div role="group" aria-label={t('admin.users.actions', { email })} className={styles.actions}>
        {actionsFor(account).map((action) => (
          <Button
            key={action}
            size="small"
            variant="outline"
            aria-disabled={busy}
            onClick={() => {
              if (!busy) onAction(action, account)
            }}
          >
            {t(actionLabels[action])}
          </Button>
        ))}
        <Menu
          label={t('admin.users.more', { email })}
          align="end"
          items={[
            {
              label: t(actionLabels.erase),
              icon: <Trash2 size={20} aria-hidden />,
              isDestructive: true,
              onSelect: () => {
                if (!busy) onAction('erase', account)
              },
            },
          ]}
        >
          <IconButton
            variant="ghost"
            label={t('admin.users.more', { email })}
            className={styles.more}
            aria-disabled={busy}
          >
            <EllipsisVertical size={20} aria-hidden />
          </IconButton>
        </Menu>
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
