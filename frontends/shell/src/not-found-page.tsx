import { LanguageSwitch } from '@confetti/ui/language-switch'
import styles from './message-page.module.css'
import { NotFound } from './not-found.tsx'

/** The page at a path that no remote has, outside of members' layout. */
export const NotFoundPage = () => (
  <main className={styles.page}>
    <LanguageSwitch className={styles.language} />
    <NotFound />
  </main>
)
