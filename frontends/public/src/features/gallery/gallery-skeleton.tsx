import { Skeleton } from '@confetti/ui/skeleton'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import { GuestMain } from '../guest-page/guest-main.tsx'
import styles from './event-gallery.module.css'

const TILES = 12

/** The gallery while it is loading. */
export const GallerySkeleton = () => {
  const t = useText()
  return (
    <GuestMain className={styles.page} aria-busy="true">
      <div className={styles.top}>
        <h1 className={styles.name}>
          <span className={hidden.visuallyHidden}>{t('gallery.loading')}</span>
          <Skeleton width="220px" height="1.15em" />
        </h1>
      </div>
      <div className={styles.skeleton}>
        {Array.from({ length: TILES }, (_, index) => (
          <Skeleton key={index} height="130px" />
        ))}
      </div>
    </GuestMain>
  )
}
