import { useEffect } from 'react'
import { Link } from '@confetti/federation/router'
import { roleOf, setTheme, site, useSession, useTheme, type Theme } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { Scraps } from '@confetti/ui/scraps'
import { Segmented } from '@confetti/ui/segmented'
import styles from './welcome.module.css'

const themes: readonly Theme[] = ['light', 'dark', 'system']
const nameOf = (theme: Theme): string => ({ light: 'Light', dark: 'Dark', system: 'Device' })[theme]

const first = {
  admin: {
    text: 'Make an event, give it to its organiser, and watch the photos come in.',
    links: [
      { to: '/events/create', name: 'Create an event' },
      { to: '/events', name: 'See the events' },
    ],
  },
  user: {
    text: 'Show your guests the QR code of your event, and take their photos home as a zip.',
    links: [
      { to: '/myevents', name: 'See my events' },
      { to: '/contact-admin', name: 'Ask for a new event' },
    ],
  },
}

export const Welcome = () => {
  const user = useSession((session) => session.user)
  const theme = useTheme((state) => state.theme)
  useEffect(() => {
    document.title = `Welcome · ${site().brand}`
  }, [])
  const { text, links } = first[user ? roleOf(user) : 'user']
  return (
    <>
      <Card className={styles.hero}>
        <Scraps className={styles.scraps} />
        <h1>Welcome to {site().brand}!</h1>
        <p>{text}</p>
        <div className={styles.links}>
          {links.map(({ to, name }, index) => (
            <Link key={to} to={to} className={buttonClass({ look: index === 0 ? 'primary' : 'line' })}>
              {name}
            </Link>
          ))}
        </div>
      </Card>
      <div className={styles.theme}>
        <Segmented label="Colours" options={themes} value={theme} onChange={setTheme} nameOf={nameOf} />
      </div>
    </>
  )
}
