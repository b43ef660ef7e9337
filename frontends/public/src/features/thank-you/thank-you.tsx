import { useLayoutEffect } from 'react'
import Check from 'lucide-react/icons/check'
import { Link, useLocation, useNavigate } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { useText } from '../../texts.ts'
import { GuestPage, HomeLink } from '../guest-page/guest-page.tsx'
import { GalleryNotes } from '../upload/gallery-notes.tsx'
import { SendingNotice } from '../upload/sending-status.tsx'
import { getGalleryPath, getUploadPath, isGalleryOpen, type GallerySettings } from '../upload/use-event.ts'
import styles from './thank-you.module.css'

const COLOURS = ['--coral', '--marigold', '--teal', '--sky', '--plum']

/** Shows a burst of confetti behind the text, unless the user prefers reduced motion. */
const throwConfetti = (): void => {
  import('canvas-confetti')
    .then(({ default: confetti }) => {
      const style = getComputedStyle(document.documentElement)
      const colors = COLOURS.map((name) => style.getPropertyValue(name).trim())
      const common = {
        colors,
        particleCount: 70,
        spread: 70,
        startVelocity: 48,
        disableForReducedMotion: true,
        // Below the content of a guest page.
        zIndex: 0,
      }
      void confetti({ ...common, angle: 60, origin: { x: 0, y: 0.7 } })
      void confetti({ ...common, angle: 120, origin: { x: 1, y: 0.7 } })
    })
    // Confetti is optional: a failed download is ignored.
    .catch(() => undefined)
}

interface RefusedFile {
  name: string
  reason: string
}

/** The state that the upload page passes to the thank-you page, in the history entry. */
export interface ThankYouState extends Omit<GallerySettings, 'gallery'> {
  count: number
  eventId: string
  eventName: string
  credit: string
  hasGallery?: boolean
  /** The files that were not sent; the first of them, if there are many. */
  refused?: readonly RefusedFile[]
  /** How many files were not sent; absent in entries of older versions, which have all of them. */
  refusedCount?: number
  celebrated?: boolean
}

/** Parses the state of a history entry. Returns undefined if the visitor did not come from the upload page. */
const parseThankYouState = (state: unknown): ThankYouState | undefined => {
  const parsed = state as Partial<ThankYouState> | null
  return typeof parsed?.count === 'number' && typeof parsed.eventId === 'string'
    ? (parsed as ThankYouState)
    : undefined
}

const large = { size: 'large', wide: true } as const

/** Confirms an upload: the number of files, the event, the files that were not sent, and a link to send more. */
const ThankYouMessage = () => {
  const t = useText()
  const state = parseThankYouState(useLocation().state)
  const navigate = useNavigate()
  const uploadPath = getUploadPath(state?.eventId ?? '')
  const settings: GallerySettings = { ...state, gallery: state?.hasGallery ? 'on' : 'off' }
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
              {isGalleryOpen(settings) && (
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
      <GalleryNotes event={settings} className={styles.summary} />
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

export const ThankYou = () => (
  <>
    <ThankYouMessage />
    <SendingNotice />
  </>
)
