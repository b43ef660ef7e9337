import type { Event } from '@confetti/contracts'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { formatDay } from '@confetti/ui/day'
import styles from './guest-preview.module.css'
import type { SettingsForm } from './settings-form.ts'

interface Props {
  event: Event
  form: SettingsForm
  coverUrl: string | undefined
}

/** What guests see with the settings of the form. */
export const GuestPreview = ({ event, form: { uploads, cover, welcome }, coverUrl }: Props) => (
  <section className={styles.preview} aria-labelledby="guest-preview">
    <h2 id="guest-preview">What guests see</h2>
    <div className={styles.page}>
      {cover && (
        <div className={styles.cover}>{coverUrl && <img src={coverUrl} alt="Cover of the event" />}</div>
      )}
      <div className={styles.hero}>
        <ConfettiDecoration className={styles.decoration} />
        <p className={styles.days}>
          {formatDay(event.startDate)} – {formatDay(event.endDate)}
        </p>
        <p className={styles.name}>{event.name}</p>
        {welcome.trim() && <p className={styles.welcome}>{welcome}</p>}
        {event.description && <p className={styles.description}>{event.description}</p>}
      </div>
      <p className={styles.state} role="status">
        {uploads === 'open' ? 'Uploads are open.' : 'Uploads are closed: guests see no upload form.'}
      </p>
    </div>
  </section>
)
