import { useEffect } from 'react'
import Check from 'lucide-react/icons/check'
import { Link, useLocation, useNavigate } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { GuestPage } from '../guest-page/guest-page.tsx'
import { GALLERY_LINK_TEXT, getGalleryPath } from '../upload/gallery-path.ts'
import { throwConfetti } from './confetti.ts'
import { parseThankYouState } from './thank-you-state.ts'
import styles from './thank-you.module.css'

const large = { size: 'large', wide: true } as const

/** Confirms an upload: the number of files, the event, and a link to send more. */
export const ThankYou = () => {
  const state = parseThankYouState(useLocation().state)
  const navigate = useNavigate()
  const uploadPath = `/upload?eventId=${encodeURIComponent(state?.eventId ?? '')}`
  const shouldCelebrate = state !== undefined && !state.celebrated

  useEffect(() => {
    if (!shouldCelebrate) return
    throwConfetti()
    // Saved in the history entry, so that a reload shows no confetti.
    void navigate('/thank-you', { replace: true, state: { ...state, celebrated: true } })
  }, [shouldCelebrate, state, navigate])

  return (
    <GuestPage
      tone="success"
      icon={<Check size={44} aria-hidden />}
      title="Thank You!"
      actions={
        <>
          {state && (
            <>
              <Link className={buttonClass(large)} to={uploadPath}>
                Send more
              </Link>
              {state.hasGallery && (
                <Link
                  className={buttonClass({ ...large, variant: 'secondary' })}
                  to={getGalleryPath(state.eventId)}
                >
                  {GALLERY_LINK_TEXT}
                </Link>
              )}
              <Link
                className={buttonClass({ ...large, variant: 'outline' })}
                to={`${uploadPath}#your-photos`}
              >
                Your photos
              </Link>
            </>
          )}
          <Link className={buttonClass({ ...large, variant: state ? 'outline' : 'primary' })} to="/">
            Go to Home
          </Link>
        </>
      }
    >
      <p>Your files have been uploaded successfully.</p>
      {state && (
        <p className={styles.summary}>
          {state.count} {state.count === 1 ? 'file' : 'files'} for {state.eventName}, from {state.credit}.
        </p>
      )}
    </GuestPage>
  )
}
