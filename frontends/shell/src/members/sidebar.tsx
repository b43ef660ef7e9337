import type { ComponentType } from 'react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import CalendarHeart from 'lucide-react/icons/calendar-heart'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import House from 'lucide-react/icons/house'
import Inbox from 'lucide-react/icons/inbox'
import Mail from 'lucide-react/icons/mail'
import type { Role } from '@confetti/contracts'
import { Link, useLocation } from '@confetti/federation/router'
import { roleOf, useSession } from '@confetti/session'
import { WELCOME } from '../welcome-path.ts'
import styles from './sidebar.module.css'

interface Entry {
  name: string
  to: string
  roles: readonly Role[]
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  /** Other addresses that belong to it; with those below, as below its own. */
  also?: readonly string[]
}

const entries: readonly Entry[] = [
  { name: 'Welcome', to: WELCOME, roles: ['user', 'admin'], Icon: House },
  { name: 'Contact Admin', to: '/contact-admin', roles: ['user'], Icon: Mail },
  { name: 'My Events', to: '/myevents', roles: ['user'], Icon: CalendarHeart },
  { name: 'Contacts', to: '/contacts', roles: ['admin'], Icon: Inbox },
  { name: 'Events', to: '/events', roles: ['admin'], Icon: CalendarDays, also: ['/admin/event-uploads'] },
  { name: 'Create Event', to: '/events/create', roles: ['admin'], Icon: CalendarPlus },
]

/** The entry that an address belongs to: the one that shares most of it. */
const currentOf = (own: readonly Entry[], pathname: string): Entry | undefined => {
  const shared = ({ to, also = [] }: Entry): number =>
    Math.max(
      0,
      ...[to, ...also]
        .filter((address) => pathname === address || pathname.startsWith(`${address}/`))
        .map(({ length }) => length),
    )
  return own.filter((entry) => shared(entry) > 0).sort((a, b) => shared(b) - shared(a))[0]
}

/** The links that the signed-in role may use. */
export const Sidebar = ({ onChoose }: { onChoose?: () => void }) => {
  const user = useSession((session) => session.user)
  const { pathname } = useLocation()
  if (!user) return null
  const own = entries.filter(({ roles }) => roles.includes(roleOf(user)))
  const current = currentOf(own, pathname)
  return (
    <nav aria-label="Main" className={styles.nav}>
      {own.map((entry) => (
        <Link
          key={entry.to}
          to={entry.to}
          aria-current={entry === current ? 'page' : undefined}
          className={styles.entry}
          onClick={onChoose}
        >
          <entry.Icon size={20} aria-hidden />
          {entry.name}
        </Link>
      ))}
      <p className={styles.who}>{user.email}</p>
    </nav>
  )
}
