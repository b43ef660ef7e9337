import type { Role } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { getRole, setTheme, site, useSession, useTheme, type Theme } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { Segmented } from '@confetti/ui/segmented'
import { useText, type MembersTextId } from './texts.ts'
import { useTitle } from '../use-title.ts'
import styles from './welcome.module.css'

const themes: readonly Theme[] = ['light', 'dark', 'system']
const themeLabels = {
  light: 'shell.theme.light',
  dark: 'shell.theme.dark',
  system: 'shell.theme.device',
} as const

interface Introduction {
  text: MembersTextId
  links: readonly { to: string; name: MembersTextId }[]
}

const introductions: Readonly<Record<Role, Introduction>> = {
  admin: {
    text: 'shell.welcome.admin',
    links: [
      { to: '/events/create', name: 'shell.welcome.admin.create' },
      { to: '/events', name: 'shell.welcome.admin.events' },
    ],
  },
  user: {
    text: 'shell.welcome.organiser',
    links: [
      { to: '/myevents', name: 'shell.welcome.organiser.events' },
      { to: '/contact-admin', name: 'shell.welcome.organiser.contact' },
    ],
  },
}

export const Welcome = () => {
  const t = useText()
  const user = useSession((session) => session.user)
  const theme = useTheme((state) => state.theme)
  useTitle(t('shell.welcome'))
  const { text, links } = introductions[user ? getRole(user) : 'user']
  return (
    <>
      <Card className={styles.hero}>
        <ConfettiDecoration className={styles.decoration} />
        <h1>{t('shell.welcome.title', { brand: site().brand })}</h1>
        <p>{t(text)}</p>
        <div className={styles.links}>
          {links.map(({ to, name }, index) => (
            <Link key={to} to={to} className={buttonClass({ variant: index === 0 ? 'primary' : 'outline' })}>
              {t(name)}
            </Link>
          ))}
        </div>
      </Card>
      <div className={styles.theme}>
        <Segmented
          label={t('shell.theme')}
          options={themes}
          value={theme}
          onChange={setTheme}
          getLabel={(option) => t(themeLabels[option])}
        />
      </div>
    </>
  )
}
