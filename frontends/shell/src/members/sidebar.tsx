import type { ComponentType } from 'react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import CalendarHeart from 'lucide-react/icons/calendar-heart'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import CircleUser from 'lucide-react/icons/circle-user'
import House from 'lucide-react/icons/house'
import Inbox from 'lucide-react/icons/inbox'
import Mail from 'lucide-react/icons/mail'
import ScrollText from 'lucide-react/icons/scroll-text'
import Users from 'lucide-react/icons/users'
import type { Role } from '@confetti/contracts'
import { Link, useLocation } from '@confetti/federation/router'
import { getRole, useSession } from '@confetti/session'
import { useText, type MembersTextId } from './texts.ts'
import { WELCOME_PATH } from '../guard.tsx'
import styles from './sidebar.module.css'

interface Entry {
  nameId: MembersTextId
  to: string
  roles: readonly Role[]
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  /** Further paths that it is the current entry for, with all paths below them. */
  otherPaths?: readonly string[]
}

const entries: readonly Entry[] = [
  { nameId: 'shell.welcome', to: WELCOME_PATH, roles: ['user', 'admin'], Icon: House },
  { nameId: 'shell.contactAdmin', to: '/contact-admin', roles: ['user'], Icon: Mail },
  { nameId: 'shell.myEvents', to: '/myevents', roles: ['user'], Icon: CalendarHeart },
  { nameId: 'shell.contacts', to: '/contacts', roles: ['admin'], Icon: Inbox },
  {
    nameId: 'shell.events',
    to: '/events',
    roles: ['admin'],
    Icon: CalendarDays,
    otherPaths: ['/admin/event-uploads'],
  },
  { nameId: 'shell.createEvent', to: '/events/create', roles: ['admin'], Icon: CalendarPlus },
  { nameId: 'shell.users', to: '/admin/users', roles: ['admin'], Icon: Users },
  { nameId: 'shell.auditLog', to: '/admin/audit', roles: ['admin'], Icon: ScrollText },
  { nameId: 'shell.account', to: '/account', roles: ['user', 'admin'], Icon: CircleUser },
]

/** Returns the entry with the longest path that matches. */
const findCurrent = (entries: readonly Entry[], pathname: string): Entry | undefined => {
  const getMatchLength = ({ to, otherPaths = [] }: Entry): number =>
    Math.max(
      0,
      ...[to, ...otherPaths]
        .filter((path) => pathname === path || pathname.startsWith(`${path}/`))
        .map(({ length }) => length),
    )
  return entries
    .filter((entry) => getMatchLength(entry) > 0)
    .sort((a, b) => getMatchLength(b) - getMatchLength(a))[0]
}

/** The navigation links for the user's role. */
export const Sidebar = ({ onNavigate }: { onNavigate?: () => void }) => {
  const t = useText()
  const user = useSession((session) => session.user)
  const { pathname } = useLocation()
  if (!user) return null
  const visibleEntries = entries.filter(({ roles }) => roles.includes(getRole(user)))
  const current = findCurrent(visibleEntries, pathname)
  return (
    <nav aria-label={t('shell.navigation')} className={styles.nav}>
      {visibleEntries.map((entry) => (
        <Link
          key={entry.to}
          to={entry.to}
          aria-current={entry === current ? 'page' : undefined}
          className={styles.entry}
          onClick={onNavigate}
        >
          <entry.Icon size={20} aria-hidden />
          {t(entry.nameId)}
        </Link>
      ))}
      <p className={styles.account}>{user.email}</p>
    </nav>
  )
}
