import { useId, type RefObject } from 'react'
import type { GuestEvent } from '@confetti/contracts'
import { useText } from '../../texts.ts'
import styles from './consent-field.module.css'

interface Props {
  consent: NonNullable<GuestEvent['consent']>
  input: RefObject<HTMLInputElement | null>
  isTicked: boolean
  /** Whether the guest has tried to send without it. */
  isMissing: boolean
  onTick: (isTicked: boolean) => void
}

/** The box that guests tick before they send, with what they agree to. */
export const ConsentField = ({ consent: { text, url }, input, isTicked, isMissing, onTick }: Props) => {
  const t = useText()
  const errorId = useId()
  return (
    <div className={styles.consent}>
      <label>
        <input
          ref={input}
          type="checkbox"
          required
          checked={isTicked}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? errorId : undefined}
          onChange={({ target }) => onTick(target.checked)}
        />
        <bdi>{text}</bdi>
      </label>
      {url && (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {t('upload.consent.terms')}
        </a>
      )}
      {isMissing && (
        <p id={errorId} role="alert">
          {t('upload.consent.missing')}
        </p>
      )}
    </div>
  )
}
