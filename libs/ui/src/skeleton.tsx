import styles from './skeleton.module.css'

interface Props {
  /** CSS lengths, the same as those of the content. */
  width?: string
  height?: string
  radius?: string
}

/** A placeholder for content that is loading. */
export const Skeleton = ({ width = '100%', height = '1em', radius = '6px' }: Props) => (
  <span aria-hidden="true" className={styles.skeleton} style={{ width, height, borderRadius: radius }} />
)
