import Undo2 from 'lucide-react/icons/undo-2'
import { Button } from '@confetti/ui/button'
import styles from './deletion-notice.module.css'
import { useText } from './texts.ts'

interface Props {
  /** How many uploads were deleted, which can be undone. */
  count: number
  onUndo: () => void
}

/** Says that uploads were deleted, with a button that undoes it. */
export const DeletionNotice = ({ count, onUndo }: Props) => {
  const t = useText()
  return (
    <div role="status" className={styles.region}>
      {count > 0 && (
        <div className={styles.notice}>
          <p>{t('album.deleted', { count })}</p>
          <Button variant="secondary" size="small" icon={<Undo2 size={18} aria-hidden />} onClick={onUndo}>
            {t('common.undo')}
          </Button>
        </div>
      )}
    </div>
  )
}
