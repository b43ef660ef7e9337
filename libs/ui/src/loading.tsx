import { useText } from './texts.ts'
import styles from './loading.module.css'

/** Shown in place of content that is loading. */
export const Loading = ({ label }: { label?: string }) => {
  const t = useText()
  return (
    <div role="status" className={styles.loading}>
      <span aria-hidden="true" className={styles.dots}>
        <i />
        <i />
        <i />
      </span>
      {label ?? t('common.loading')}
    </div>
  )
}
