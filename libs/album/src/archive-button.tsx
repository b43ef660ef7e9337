import Download from 'lucide-react/icons/download'
import type { ArchiveOptions } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import styles from './archive-button.module.css'
import type { CreateArchive } from './request-archive.ts'
import { useArchiveDownload } from './use-archive-download.ts'

interface Props {
  label: string
  createArchive: CreateArchive
  options: ArchiveOptions
  disabled?: boolean
  /** Called if one of the selected uploads no longer exists. */
  onUploadNotFound?: () => void
}

/** Downloads an archive; while it is being prepared, a second button cancels it. */
export const ArchiveButton = ({
  label,
  createArchive,
  options,
  disabled = false,
  onUploadNotFound,
}: Props) => {
  const { isBusy, progress, start, cancel } = useArchiveDownload({ createArchive, onUploadNotFound })
  const { target, within } = useKeepFocus<HTMLButtonElement>()
  return (
    <div {...within}>
      <div className={styles.buttons}>
        <Button
          ref={target}
          icon={<Download size={20} aria-hidden />}
          aria-disabled={isBusy || disabled}
          onClick={() => {
            if (!isBusy && !disabled) start(options)
          }}
        >
          {isBusy ? 'Preparing...' : label}
        </Button>
        {isBusy && (
          <Button variant="outline" onClick={cancel}>
            Cancel
          </Button>
        )}
      </div>
      <p role="status" className={styles.progress}>
        {progress}
      </p>
    </div>
  )
}
