import type { ComponentType } from 'react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import CalendarHeart from 'lucide-react/icons/calendar-heart'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import House from 'lucide-react/icons/house'
import Inbox from 'lucide-react/icons/inbox'
import Mail from 'lucide-react/icons/mail'
import type { Role } from '@confetti/contracts'
import { NavLink } from '@confetti/federation/router'
import { roleOf, useSession } from '@confetti/session'
import { WELCOME } from '../areas.ts'
import styles from './sidebar.module.css'

interface Entry {
  name: string
  to: string
  roles: readonly Role[]
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  /** Not marked as current on the addresses below. */
  end?: boolean
}

const entries: readonly Entry[] = [
  { name: 'Welcome', to: WELCOME, roles: ['user', 'admin'], Icon: House },
  { name: 'Contact Admin', to: '/contact-admin', roles: ['user'], Icon: Mail },
  { name: 'My Events', to: '/myevents', roles: ['user'], Icon: CalendarHeart },
  { name: 'Contacts', to: '/contacts', roles: ['admin'], Icon: Inbox },
  { name: 'Events', to: '/events', roles: ['admin'], Icon: CalendarDays, end: true },
  { name: 'Create Event', to: '/events/create', roles: ['admin'], Icon: CalendarPlus },
]

/** The links that the signed-in role may use. */
export const Sidebar = ({ onChoose }: { onChoose?: () => void }) => {
  const user = useSession((session) => session.user)
  if (!user) return null
  return (
    <nav aria-label="Main" className={styles.nav}>
      {entries
        .filter(({ roles }) => roles.includes(roleOf(user)))
        .map(({ name, to, Icon, end = false }) => (
          <NavLink key={to} to={to} end={end} className={styles.entry} onClick={onChoose}>
            <Icon size={20} aria-hidden />
            {name}
          </NavLink>
        ))}
      <p className={styles.who}>{user.email}</p>
    </nav>
  )
}
