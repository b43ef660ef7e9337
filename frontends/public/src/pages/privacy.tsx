import type { GuestEvent } from '@confetti/contracts'
import { Link, useSearchParams } from '@confetti/federation/router'
import { loadCatalogues, useLocale } from '@confetti/i18n'
import { site } from '@confetti/session'
import { formatLastDayBefore } from '@confetti/ui/event-days'
import { getFailureText } from '@confetti/ui/failure-text'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Loading } from '@confetti/ui/loading'
import { GuestMain } from '../features/guest-page/guest-page.tsx'
import { PinGate } from '../features/pin/pin-gate.tsx'
import { EventNotFound, MissingEventId } from '../features/upload/upload-unavailable.tsx'
import { getEventId, getUploadPath, useEvent } from '../features/upload/use-event.ts'
import { galleryCatalogue, useText as useRareText } from '../gallery-texts.ts'
import { useText } from '../texts.ts'
import styles from './privacy.module.css'

/** Who is responsible for what guests send to an event, what is kept for how long, and how to delete it. */
const PrivacyText = ({ event }: { event: GuestEvent }) => {
  const t = useRareText()
  const guestText = useText()
  const locale = useLocale()
  const { _id, name, responsible, consent, deleteAt, timeZone } = event
  const { privacyNotice } = site()
  return (
    <article className={styles.text}>
      <p>
        <bdi>{name}</bdi>
      </p>
      <h1>{guestText('tab.privacy')}</h1>
      <h2>{t('privacy.responsible')}</h2>
      <p>
        <bdi>{responsible ?? t('privacy.responsible.unknown')}</bdi>
      </p>
      {consent && (
        <>
          <h2>{t('privacy.consent')}</h2>
          <p>
            <bdi>{consent.text}</bdi>
          </p>
          {consent.url && (
            <a href={consent.url} target="_blank" rel="noopener noreferrer">
              {guestText('upload.consent.terms')}
            </a>
          )}
        </>
      )}
      <h2>{t('privacy.kept')}</h2>
      <p>{t('privacy.kept.what')}</p>
      <p>
        {deleteAt
          ? guestText('event.keptUntil', { date: formatLastDayBefore(deleteAt, timeZone, locale) })
          : t('privacy.kept.forever')}
      </p>
      <h2>{t('privacy.delete')}</h2>
      <p>{t('privacy.delete.how')}</p>
      <Link to={getUploadPath(_id)}>{guestText('own.title')}</Link>
      {privacyNotice && (
        <>
          <h2>{t('privacy.operator')}</h2>
          <p>
            <bdi>{privacyNotice}</bdi>
          </p>
        </>
      )}
    </article>
  )
}

const PrivacyOf = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const { state, retry } = useEvent(eventId)
  switch (state.status) {
    case 'pending':
      return (
        <GuestMain>
          <Loading />
        </GuestMain>
      )
    case 'not-found':
      return <EventNotFound eventId={eventId} />
    case 'error':
      return (
        <GuestMain>
          <LoadFailed
            as="h1"
            title={t('event.loadFailed.title')}
            text={getFailureText(state.error)}
            onRetry={retry}
          />
        </GuestMain>
      )
    case 'success':
      return (
        <GuestMain>
          <PrivacyText event={state.event} />
        </GuestMain>
      )
  }
}

const Privacy = () => {
  const eventId = getEventId(useSearchParams()[0])
  if (!eventId) return <MissingEventId />
  return (
    <PinGate key={eventId} eventId={eventId}>
      <KeepFocus>
        <PrivacyOf eventId={eventId} />
      </KeepFocus>
    </PinGate>
  )
}

/** The page with its texts. */
export const loadPrivacy = async (): Promise<typeof Privacy> => {
  await loadCatalogues([galleryCatalogue])
  return Privacy
}
