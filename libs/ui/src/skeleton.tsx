import styles from './skeleton.module.css'

interface Props {
  /** CSS lengths of what will be there. */
  width?: string
  height?: string
  radius?: string
}

/** A quiet block in the place of what is coming. */
export const Skeleton = ({ width = '100%', height = '1em', radius = '6px' }: Props) => (
  <span aria-hidden="true" className={styles.skeleton} style={{ width, height, borderRadius: radius }} />
)
