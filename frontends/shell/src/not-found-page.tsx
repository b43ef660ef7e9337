import { LanguageSwitch } from '@confetti/ui/language-switch'
import { NotFound } from './not-found.tsx'
import styles from './not-found-page.module.css'

/** The page at a path that no remote has, outside of members' layout. */
export const NotFoundPage = () => (
  <main className={styles.page}>
    <NotFound />
    <LanguageSwitch />
  </main>
)
