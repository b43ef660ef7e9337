import { Skeleton } from '@confetti/ui/skeleton'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { GuestMain } from '../guest-page/guest-main.tsx'
import { useText } from '../../texts.ts'
import { EventHeroSkeleton } from './event-hero.tsx'
import styles from './event-upload.module.css'
import footer from './send-footer.module.css'
import form from './upload-form.module.css'

/** The upload page while its event is loading. */
export const UploadSkeleton = ({ isServerBusy }: { isServerBusy: boolean }) => {
  const t = useText()
  return (
    <GuestMain className={styles.page} aria-busy="true">
      <EventHeroSkeleton />
      <div className={form.fields}>
        <Skeleton height="82px" radius="10px" />
        <Skeleton height="174px" radius="14px" />
      </div>
      <div className={footer.footer}>
        <div className={footer.content}>
          <p role="status" className={isServerBusy ? '' : hidden.visuallyHidden}>
            {isServerBusy && t('event.busy')}
          </p>
          <Skeleton height="56px" radius="14px" />
        </div>
      </div>
    </GuestMain>
  )
}
