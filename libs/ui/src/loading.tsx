import styles from './loading.module.css'

/** Shown in place of content that is loading. */
export const Loading = ({ label = 'Loading...' }: { label?: string }) => (
  <div role="status" className={styles.loading}>
    <span aria-hidden="true" className={styles.dots}>
      <i />
      <i />
      <i />
    </span>
    {label}
  </div>
)
