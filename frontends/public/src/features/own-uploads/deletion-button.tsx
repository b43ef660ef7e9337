import Undo2 from 'lucide-react/icons/undo-2'
import type { GuestUpload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { useText } from '../../texts.ts'
import type { Deletions } from './use-deletion.ts'

interface Props {
  upload: GuestUpload
  deletions: Pick<Deletions, 'isUndoable' | 'remove' | 'undo'>
}

/** Deletes an upload, and then undoes that. One button, which keeps the focus. */
export const DeletionButton = ({ upload, deletions }: Props) => {
  const t = useText()
  const isDeleted = deletions.isUndoable(upload)
  const { originalName: name } = upload
  return (
    <Button
      variant={isDeleted ? 'secondary' : 'outline'}
      size="small"
      icon={isDeleted && <Undo2 size={18} aria-hidden />}
      aria-label={t(isDeleted ? 'own.undo.label' : 'own.delete.label', { name })}
      onClick={() => (isDeleted ? void deletions.undo(upload) : deletions.remove(upload))}
    >
      {t(isDeleted ? 'common.undo' : 'own.delete')}
    </Button>
  )
}
