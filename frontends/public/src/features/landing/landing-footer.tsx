import { site } from '@confetti/session'
import { Logo } from '@confetti/ui/logo'
import { useText } from '../../owner-texts.ts'
import styles from './landing-footer.module.css'

export const LandingFooter = () => {
  const t = useText()
  return (
    <footer className={styles.footer}>
      <Logo size={28} />
      <p>{t('landing.rights', { year: String(new Date().getFullYear()), brand: site().brand })}</p>
    </footer>
  )
}
