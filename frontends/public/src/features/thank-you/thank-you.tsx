import { useLayoutEffect } from 'react'
import Check from 'lucide-react/icons/check'
import { Link, useLocation, useNavigate } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { useText } from '../../texts.ts'
import { GuestPage } from '../guest-page/guest-page.tsx'
import { HomeLink } from '../guest-page/home-link.tsx'
import { getGalleryPath } from '../upload/gallery-path.ts'
import { throwConfetti } from './confetti.ts'
import { parseThankYouState } from './thank-you-state.ts'
import styles from './thank-you.module.css'

const large = { size: 'large', wide: true } as const

/** Confirms an upload: the number of files, the event, the files that were not sent, and a link to send more. */
export const ThankYou = () => {
  const t = useText()
  const state = parseThankYouState(useLocation().state)
  const navigate = useNavigate()
  const uploadPath = `/upload?eventId=${encodeURIComponent(state?.eventId ?? '')}`
  const refused = state?.refused ?? []
  const refusedCount = state?.refusedCount ?? refused.length
  const shouldCelebrate = state !== undefined && !state.celebrated

  // Before the page can be seen: a guest who has already followed one of its links would be brought back.
  useLayoutEffect(() => {
    if (!shouldCelebrate) return
    throwConfetti()
    // Saved in the history entry, so that a reload shows no confetti.
    void navigate('/thank-you', { replace: true, state: { ...state, celebrated: true } })
  }, [shouldCelebrate, state, navigate])

  return (
    <GuestPage
      tone="success"
      icon={<Check size={44} aria-hidden />}
      title={t('thanks.title')}
      actions={
        <>
          {state && (
            <>
              <Link className={buttonClass(large)} to={uploadPath}>
                {t('thanks.more')}
              </Link>
              {state.hasGallery && (
                <Link
                  className={buttonClass({ ...large, variant: 'secondary' })}
                  to={getGalleryPath(state.eventId)}
                >
                  {t('event.gallery')}
                </Link>
              )}
              <Link
                className={buttonClass({ ...large, variant: 'outline' })}
                to={`${uploadPath}#your-photos`}
              >
                {t('own.title')}
              </Link>
            </>
          )}
          <HomeLink variant={state ? 'outline' : 'primary'} />
        </>
      }
    >
      <p>{t('thanks.text')}</p>
      {state && (
        <p className={styles.summary}>
          {t('thanks.summary', { count: state.count, event: state.eventName, credit: state.credit })}
        </p>
      )}
      {refused.length > 0 && (
        <section className={styles.refused}>
          <p>
            <b>{t('event.notSent', { count: refusedCount })}</b>
          </p>
          <ul role="list">
            {refused.map(({ name, reason }, index) => (
              <li key={index}>
                <bdi>{name}</bdi>
                <p className={styles.reason}>{reason}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </GuestPage>
  )
}
