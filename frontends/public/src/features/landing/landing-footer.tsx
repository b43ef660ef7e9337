import { site } from '@confetti/session'
import { Logo } from '@confetti/ui/logo'
import styles from './landing-footer.module.css'

export const LandingFooter = () => (
  <footer className={styles.footer}>
    <Logo size={28} />
    <p>
      © {new Date().getFullYear()} {site().brand}. All rights reserved.
    </p>
  </footer>
)
