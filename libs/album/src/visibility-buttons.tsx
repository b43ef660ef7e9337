import Check from 'lucide-react/icons/check'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import type { Upload } from '@confetti/contracts'
import { IconButton } from '@confetti/ui/button'
import { useText, type TextId } from './texts.ts'
import { getVisibilityActions, type ChangeVisibility, type VisibilityAction } from './visibility-actions.ts'
import styles from './visibility-buttons.module.css'

const buttons: Readonly<Record<VisibilityAction['kind'], { Icon: typeof Eye; labelId: TextId }>> = {
  approve: { Icon: Check, labelId: 'album.file.approve' },
  show: { Icon: Eye, labelId: 'album.file.show' },
  hide: { Icon: EyeOff, labelId: 'album.file.hide' },
}

interface Props {
  upload: Upload
  onChange: ChangeVisibility
}

/** The buttons over a card that approve, show or hide its upload. */
export const VisibilityButtons = ({ upload, onChange }: Props) => {
  const t = useText()
  return (
    <div className={styles.buttons}>
      {getVisibilityActions(upload).map(({ kind, visibility }) => {
        const { Icon, labelId } = buttons[kind]
        return (
          <IconButton
            key={kind}
            label={t(labelId, { name: upload.originalName })}
            className={styles.button}
            onClick={() => onChange([upload], visibility)}
          >
            <Icon size={20} aria-hidden />
          </IconButton>
        )
      })}
    </div>
  )
}
