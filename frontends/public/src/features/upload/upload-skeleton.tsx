import { Skeleton } from '@confetti/ui/skeleton'
import { GuestMain } from '../guest-page/guest-main.tsx'
import { HeroSkeleton } from './event-hero.tsx'
import styles from './event-upload.module.css'
import footer from './send-footer.module.css'
import form from './upload-form.module.css'

/** The page while its event is on the way. */
export const UploadSkeleton = () => (
  <GuestMain className={styles.page} aria-busy="true">
    <HeroSkeleton />
    <div className={form.fields}>
      <Skeleton height="82px" radius="10px" />
      <Skeleton height="174px" radius="14px" />
    </div>
    <div className={footer.footer}>
      <div className={footer.inside}>
        <Skeleton height="56px" radius="14px" />
      </div>
    </div>
  </GuestMain>
)
