import Check from 'lucide-react/icons/check'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import type { Upload } from '@confetti/contracts'
import { IconButton } from '@confetti/ui/button'
import { getVisibilityActions, type ChangeVisibility, type VisibilityAction } from './visibility-actions.ts'
import styles from './visibility-buttons.module.css'

const icons: Readonly<Record<VisibilityAction['label'], typeof Eye>> = {
  Approve: Check,
  Show: Eye,
  Hide: EyeOff,
}

interface Props {
  upload: Upload
  onChange: ChangeVisibility
}

/** The buttons over a card that approve, show or hide its upload. */
export const VisibilityButtons = ({ upload, onChange }: Props) => (
  <div className={styles.buttons}>
    {getVisibilityActions(upload).map(({ label, visibility }) => {
      const Icon = icons[label]
      return (
        <IconButton
          key={label}
          label={`${label} ${upload.originalName}`}
          className={styles.button}
          onClick={() => onChange([upload], visibility)}
        >
          <Icon size={20} aria-hidden />
        </IconButton>
      )
    })}
  </div>
)
