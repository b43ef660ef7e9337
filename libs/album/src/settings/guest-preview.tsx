import type { Event } from '@confetti/contracts'
import { useLocale } from '@confetti/i18n'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { formatEventDays, getClosedText } from '@confetti/ui/event-days'
import CalendarX from 'lucide-react/icons/calendar-x'
import { useText } from '../texts.ts'
import styles from './guest-preview.module.css'
import { areUploadsOpen, getClosingTime, getTimeZone, type SettingsForm } from './settings-form.ts'
import { formatTime } from './wall-clock.ts'

interface Props {
  event: Event
  form: SettingsForm
  coverUrl: string | undefined
}

const OpenPage = ({ event, form: { cover, welcome }, coverUrl }: Props) => {
  const t = useText()
  const locale = useLocale()
  return (
    <>
      {cover && (
        <div className={styles.cover}>
          {coverUrl && <img src={coverUrl} alt={t('album.settings.preview.cover')} />}
        </div>
      )}
      <div className={styles.hero}>
        <ConfettiDecoration className={styles.decoration} />
        <p className={styles.days}>{formatEventDays(event.startDate, event.endDate, locale)}</p>
        <p className={styles.name}>
          <bdi>{event.name}</bdi>
        </p>
        {welcome.trim() && (
          <p className={styles.welcome}>
            <bdi>{welcome}</bdi>
          </p>
        )}
        {event.description && (
          <p className={styles.description}>
            <bdi>{event.description}</bdi>
          </p>
        )}
      </div>
    </>
  )
}

const ClosedPage = ({ name, text }: { name: string; text: string }) => (
  <div className={styles.notice}>
    <span className={styles.icon}>
      <CalendarX size={32} strokeWidth={1.75} aria-hidden />
    </span>
    <p className={styles.name}>
      <bdi>{name}</bdi>
    </p>
    <p>{text}</p>
  </div>
)

/** What guests see with the settings of the form. */
export const GuestPreview = ({ event, form, coverUrl }: Props) => {
  const t = useText()
  const timeZone = getTimeZone(event, form)
  const closingTime = getClosingTime(event, form)
  const isOpen = areUploadsOpen(event, form)
  const describeState = (): string => {
    if (!isOpen) return t('album.settings.preview.closed')
    return closingTime === undefined
      ? t('album.settings.preview.open')
      : t('album.settings.preview.openUntil', { time: formatTime(closingTime, timeZone) })
  }
  return (
    <section className={styles.preview} aria-labelledby="guest-preview">
      <h2 id="guest-preview">{t('album.settings.preview')}</h2>
      <div className={styles.page}>
        {isOpen ? (
          <OpenPage event={event} form={form} coverUrl={coverUrl} />
        ) : (
          <ClosedPage name={event.name} text={getClosedText(closingTime, timeZone)} />
        )}
        <p className={styles.state} role="status">
          {describeState()}
        </p>
      </div>
    </section>
  )
}
