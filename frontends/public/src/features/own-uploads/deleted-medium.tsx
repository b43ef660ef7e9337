import Trash2 from 'lucide-react/icons/trash-2'
import type { Medium } from '@confetti/album/medium'
import styles from './deleted-medium.module.css'

/** What is shown instead of an upload that was deleted. */
export const deletedMedium = (label: string): Medium => ({
  label,
  thumbnailUrl: undefined,
  pictureUrl: undefined,
  placeholder: (
    <div className={styles.deleted}>
      <Trash2 size={64} strokeWidth={1} aria-hidden />
    </div>
  ),
})
