import Undo2 from 'lucide-react/icons/undo-2'
import { Button } from '@confetti/ui/button'
import styles from './deletion-notice.module.css'
import { formatFiles } from './format-size.ts'

interface Props {
  /** How many uploads were deleted, which can be undone. */
  count: number
  onUndo: () => void
}

/** Says that uploads were deleted, with a button that undoes it. */
export const DeletionNotice = ({ count, onUndo }: Props) => (
  <div role="status" className={styles.region}>
    {count > 0 && (
      <div className={styles.notice}>
        <p>{formatFiles(count)} deleted. You can undo this for 30 seconds.</p>
        <Button variant="secondary" size="small" icon={<Undo2 size={18} aria-hidden />} onClick={onUndo}>
          Undo
        </Button>
      </div>
    )}
  </div>
)
