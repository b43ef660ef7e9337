import Download from 'lucide-react/icons/download'
import type { ArchiveOptions } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import styles from './archive-button.module.css'
import { useText } from './texts.ts'
import type { ArchiveDownloadState } from './use-archive-download.ts'

interface Props {
  label: string
  download: ArchiveDownloadState
  options: ArchiveOptions
  disabled?: boolean
}

/** Downloads an archive; while it is being prepared, a second button cancels it. */
export const ArchiveButton = ({ label, download, options, disabled = false }: Props) => {
  const t = useText()
  const { isBusy, waitReason, start, cancel } = download
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
          {isBusy ? t('album.download.preparing') : label}
        </Button>
        {isBusy && (
          <Button variant="outline" onClick={cancel}>
            {t('common.cancel')}
          </Button>
        )}
      </div>
      <p role="status" className={styles.progress}>
        {waitReason && getFailureText(waitReason)}
      </p>
    </div>
  )
}
