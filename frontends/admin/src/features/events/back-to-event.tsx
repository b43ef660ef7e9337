import { Link } from '@confetti/federation/router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import styles from './back-to-event.module.css'

/** The link from a page of an event to the event's page. */
export const BackToEvent = ({ eventId }: { eventId: string }) => (
  <Link to={`/events/${eventId}`} className={styles.back}>
    <ArrowLeft size={20} aria-hidden />
    Event details
  </Link>
)
