import styles from './progress-bar.module.css'

interface Props {
  /** The accessible name: what is in progress. */
  label: string
  /** 0 to 100. */
  value: number
  size?: 'thin' | 'thick'
}

export const ProgressBar = ({ label, value, size = 'thin' }: Props) => {
  const percent = Math.min(100, Math.max(0, Math.round(value)))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={`${styles.track} ${styles[size]} ${percent === 100 ? styles.done : ''}`}
    >
      <i style={{ transform: `scaleX(${percent / 100})` }} />
    </div>
  )
}
