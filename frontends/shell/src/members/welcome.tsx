import { useEffect } from 'react'
import { Link } from '@confetti/federation/router'
import { getRole, setTheme, site, useSession, useTheme, type Theme } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { Segmented } from '@confetti/ui/segmented'
import styles from './welcome.module.css'

const themes: readonly Theme[] = ['light', 'dark', 'system']
const getThemeLabel = (theme: Theme): string => ({ light: 'Light', dark: 'Dark', system: 'Device' })[theme]

const introductions = {
  admin: {
    text: 'Create an event, assign it to an organiser, and watch the photos come in.',
    links: [
      { to: '/events/create', name: 'Create an event' },
      { to: '/events', name: 'See the events' },
    ],
  },
  user: {
    text: "Share your event's QR code with your guests, and download their photos as a ZIP.",
    links: [
      { to: '/myevents', name: 'See my events' },
      { to: '/contact-admin', name: 'Request a new event' },
    ],
  },
}

export const Welcome = () => {
  const user = useSession((session) => session.user)
  const theme = useTheme((state) => state.theme)
  useEffect(() => {
    document.title = `Welcome · ${site().brand}`
  }, [])
  const { text, links } = introductions[user ? getRole(user) : 'user']
  return (
    <>
      <Card className={styles.hero}>
        <ConfettiDecoration className={styles.decoration} />
        <h1>Welcome to {site().brand}!</h1>
        <p>{text}</p>
        <div className={styles.links}>
          {links.map(({ to, name }, index) => (
            <Link key={to} to={to} className={buttonClass({ variant: index === 0 ? 'primary' : 'outline' })}>
              {name}
            </Link>
          ))}
        </div>
      </Card>
      <div className={styles.theme}>
        <Segmented
          label="Theme"
          options={themes}
          value={theme}
          onChange={setTheme}
          getLabel={getThemeLabel}
        />
      </div>
    </>
  )
}
