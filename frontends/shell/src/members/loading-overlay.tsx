import { useEffect, useState } from 'react'
import { onLoading } from '@confetti/api-client'
import styles from './loading-overlay.module.css'

/** Lies over everything while a request is under way. */
export const LoadingOverlay = () => {
  const [underWay, setUnderWay] = useState(0)
  useEffect(() => onLoading(setUnderWay), [])
  return (
    <div role="status" className={underWay > 0 ? styles.overlay : undefined}>
      {underWay > 0 && <span>Loading...</span>}
    </div>
  )
}
