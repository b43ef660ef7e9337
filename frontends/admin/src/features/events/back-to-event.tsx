import { Link } from '@confetti/federation/router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useText } from '../../texts.ts'
import styles from './back-to-event.module.css'

/** The link from a page of an event to the event's page. */
export const BackToEvent = ({ eventId }: { eventId: string }) => {
  const t = useText()
  return (
    <Link to={`/events/${eventId}`} className={styles.back}>
      <ArrowLeft size={20} aria-hidden />
      {t('admin.tab.event')}
    </Link>
  )
}
