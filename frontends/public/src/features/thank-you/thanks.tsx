import { useEffect } from 'react'
import Check from 'lucide-react/icons/check'
import { Link, useLocation, useNavigate } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { GuestPage } from '../guest-page/guest-page.tsx'
import { throwConfetti } from './confetti.ts'
import { thanksIn } from './thanks-state.ts'
import styles from './thanks.module.css'

const large = { size: 'large', wide: true } as const

/** All has arrived: how much, for whom, and what next. */
export const Thanks = () => {
  const thanks = thanksIn(useLocation().state)
  const navigate = useNavigate()
  const festive = thanks !== undefined && !thanks.celebrated

  useEffect(() => {
    if (!festive) return
    throwConfetti()
    // Noted in the history entry itself, so that a reload does not throw again.
    void navigate('/thank-you', { replace: true, state: { ...thanks, celebrated: true } })
  }, [festive, thanks, navigate])

  return (
    <GuestPage
      tone="good"
      icon={<Check size={44} aria-hidden />}
      title="Thank You!"
      actions={
        <>
          {thanks && (
            <Link className={buttonClass(large)} to={`/upload?eventId=${encodeURIComponent(thanks.eventId)}`}>
              Send more
            </Link>
          )}
          <Link className={buttonClass({ ...large, look: thanks ? 'line' : 'primary' })} to="/">
            Go to Home
          </Link>
        </>
      }
    >
      <p>Your files have been uploaded successfully.</p>
      {thanks && (
        <p className={styles.what}>
          {thanks.count} {thanks.count === 1 ? 'file' : 'files'} for {thanks.eventName}, from {thanks.credit}.
        </p>
      )}
    </GuestPage>
  )
}
