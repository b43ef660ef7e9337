import { useState, type ReactNode } from 'react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Download from 'lucide-react/icons/download'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import type { Upload } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { Menu, type MenuItem } from '@confetti/ui/menu'
import { notifyError } from '@confetti/ui/notify'
import popover from '@confetti/ui/popover.module.css'
import styles from './download-control.module.css'
import { fetchChunks, FileFetchError, isOutOfMemory, saveFile } from './fetch-chunks.ts'
import { getText, useText } from './texts.ts'

interface ControlProps {
  label: string
  busyLabel: string
  stopLabel: string
  variant?: 'primary' | 'secondary' | 'outline'
  size?: 'regular' | 'small'
  isBusy: boolean
  isDisabled?: boolean
  /** What the download waits for. */
  status?: string | undefined
  onStart?: () => void
  /** What can be downloaded, where that is more than one thing: the button lists it. */
  choices?: { items: readonly MenuItem[]; note: string }
  onStop: () => void
  /** How the download goes, or went. */
  progress?: ReactNode
  /** Called when the user has seen how it went. */
  onClose?: () => void
}

/**
 * Starts a download of many files, or lists what can be downloaded. During the download, its progress and a button that stops
 * it lie over what is below, so that nothing moves. They begin at the edge of the row that the control is in, which is
 * positioned.
 */
export const DownloadControl = ({
  label,
  busyLabel,
  stopLabel,
  variant = 'primary',
  size = 'regular',
  isBusy,
  isDisabled = false,
  status,
  onStart,
  choices,
  onStop,
  progress,
  onClose,
}: ControlProps) => {
  const t = useText()
  const { target, within } = useKeepFocus<HTMLButtonElement>()
  const isInactive = isBusy || isDisabled
  const button = (
    <Button
      ref={target}
      variant={variant}
      size={size}
      icon={<Download size={size === 'small' ? 18 : 20} aria-hidden />}
      aria-disabled={isInactive}
      onClick={() => {
        if (!isInactive) onStart?.()
      }}
    >
      {isBusy ? busyLabel : label}
      {choices && !isBusy && <ChevronDown size={18} aria-hidden />}
    </Button>
  )
  return (
    <div className={styles.control} {...within}>
      {choices && !isInactive ? (
        <Menu label={label} {...choices}>
          {button}
        </Menu>
      ) : (
        button
      )}
      <div className={isBusy || progress ? `${popover.popover} ${styles.progress}` : styles.idle}>
        <p role="status" className={styles.status}>
          {status}
        </p>
        {progress}
        {isBusy && (
          <Button variant="outline" size="small" onClick={onStop}>
            {stopLabel}
          </Button>
        )}
        {!isBusy && progress && (
          <Button variant="outline" size="small" onClick={onClose}>
            {t('common.close')}
          </Button>
        )}
      </div>
    </div>
  )
}

interface FileOptions {
  upload: Upload
  /** Resolves with the list and fresh links, for when the upload's link has expired. */
  refresh: () => Promise<readonly Upload[]>
}

/** Saves the original of one upload under its original name. */
export const useFileDownload = ({ upload, refresh }: FileOptions) => {
  const [isBusy, setIsBusy] = useState(false)

  const fetchOriginal = async () => {
    try {
      return await fetchChunks(upload.url)
    } catch (error) {
      if (!(error instanceof FileFetchError) || error.status !== 403) throw error
      const renewed = (await refresh()).find(({ _id }) => _id === upload._id)
      if (!renewed || renewed.url === upload.url) throw error
      return fetchChunks(renewed.url)
    }
  }

  // Scrolling unmounts the card with this button; the download continues.
  const download = async (): Promise<void> => {
    setIsBusy(true)
    try {
      saveFile(new Blob([...(await fetchOriginal())], { type: upload.contentType }), upload.originalName)
    } catch (error) {
      const message = isOutOfMemory(error)
        ? getText('album.file.outOfMemory', { name: upload.originalName })
        : getFailureText(error)
      notifyError(message, getText('album.download.failed'))
    } finally {
      setIsBusy(false)
    }
  }

  return {
    isBusy,
    start: (): void => {
      if (!isBusy) void download()
    },
  }
}

/** Stands for a download of one file that is under way. */
export const BusyIcon = () => <LoaderCircle size={20} aria-hidden className={styles.spinner} />

/** A button that saves the original of one upload. */
export const DownloadButton = ({
  upload,
  refresh,
  variant = 'secondary',
}: FileOptions & { variant?: 'secondary' | 'ghost' }) => {
  const t = useText()
  const { isBusy, start } = useFileDownload({ upload, refresh })
  return (
    <IconButton
      variant={variant}
      label={t(isBusy ? 'album.file.downloading' : 'album.file.download', { name: upload.originalName })}
      aria-disabled={isBusy}
      onClick={start}
    >
      {isBusy ? <BusyIcon /> : <Download size={20} aria-hidden />}
    </IconButton>
  )
}
