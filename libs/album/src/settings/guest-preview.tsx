import type { Event } from '@confetti/contracts'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { formatEventDays, getClosedText } from '@confetti/ui/event-days'
import CalendarX from 'lucide-react/icons/calendar-x'
import styles from './guest-preview.module.css'
import { areUploadsOpen, getClosingTime, getTimeZone, type SettingsForm } from './settings-form.ts'
import { formatTime } from './wall-clock.ts'

interface Props {
  event: Event
  form: SettingsForm
  coverUrl: string | undefined
}

const OpenPage = ({ event, form: { cover, welcome }, coverUrl }: Props) => (
  <>
    {cover && (
      <div className={styles.cover}>{coverUrl && <img src={coverUrl} alt="Cover of the event" />}</div>
    )}
    <div className={styles.hero}>
      <ConfettiDecoration className={styles.decoration} />
      <p className={styles.days}>{formatEventDays(event.startDate, event.endDate)}</p>
      <p className={styles.name}>{event.name}</p>
      {welcome.trim() && <p className={styles.welcome}>{welcome}</p>}
      {event.description && <p className={styles.description}>{event.description}</p>}
    </div>
  </>
)

const ClosedPage = ({ name, text }: { name: string; text: string }) => (
  <div className={styles.notice}>
    <span className={styles.icon}>
      <CalendarX size={32} strokeWidth={1.75} aria-hidden />
    </span>
    <p className={styles.name}>{name}</p>
    <p>{text}</p>
  </div>
)

/** What guests see with the settings of the form. */
export const GuestPreview = ({ event, form, coverUrl }: Props) => {
  const timeZone = getTimeZone(event, form)
  const closingTime = getClosingTime(event, form)
  const isOpen = areUploadsOpen(event, form)
  return (
    <section className={styles.preview} aria-labelledby="guest-preview">
      <h2 id="guest-preview">What guests see</h2>
      <div className={styles.page}>
        {isOpen ? (
          <OpenPage event={event} form={form} coverUrl={coverUrl} />
        ) : (
          <ClosedPage name={event.name} text={getClosedText(closingTime, timeZone)} />
        )}
        <p className={styles.state} role="status">
          {isOpen
            ? `Uploads are open${closingTime === undefined ? '' : ` until ${formatTime(closingTime, timeZone)}`}.`
            : 'Uploads are closed: guests see no upload form.'}
        </p>
      </div>
    </section>
  )
}
