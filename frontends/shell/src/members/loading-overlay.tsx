import { useEffect, useState } from 'react'
import { onLoading } from '@confetti/api-client'
import { useText } from './texts.ts'
import styles from './loading-overlay.module.css'

/** A full-screen overlay while requests are in flight. */
export const LoadingOverlay = () => {
  const t = useText()
  const [inFlight, setInFlight] = useState(0)
  useEffect(() => onLoading(setInFlight), [])
  return (
    <div role="status" className={inFlight > 0 ? styles.overlay : undefined}>
      {inFlight > 0 && <span>{t('common.loading')}</span>}
    </div>
  )
}
