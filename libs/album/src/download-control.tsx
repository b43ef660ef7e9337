import { useState } from 'react'
import Download from 'lucide-react/icons/download'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import type { Upload } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { notifyError } from '@confetti/ui/notify'
import styles from './download-control.module.css'
import { fetchChunks, FileFetchError, isOutOfMemory, saveFile } from './browser-files.ts'
import { getText, useText } from './texts.ts'

interface ControlProps {
  label: string
  busyLabel: string
  stopLabel: string
  variant?: 'primary' | 'secondary'
  isBusy: boolean
  isDisabled?: boolean
  /** What the download waits for. */
  status?: string | undefined
  onStart: () => void
  onStop: () => void
}

/** Starts a download of many files; during the download a second button stops it. */
export const DownloadControl = ({
  label,
  busyLabel,
  stopLabel,
  variant = 'primary',
  isBusy,
  isDisabled = false,
  status,
  onStart,
  onStop,
}: ControlProps) => {
  const { target, within } = useKeepFocus<HTMLButtonElement>()
  return (
    <div {...within}>
      <div className={styles.control}>
        <Button
          ref={target}
          variant={variant}
          icon={<Download size={20} aria-hidden />}
          aria-disabled={isBusy || isDisabled}
          onClick={() => {
            if (!isBusy && !isDisabled) onStart()
          }}
        >
          {isBusy ? busyLabel : label}
        </Button>
        {isBusy && (
          <Button variant="outline" onClick={onStop}>
            {stopLabel}
          </Button>
        )}
      </div>
      <p role="status" className={styles.status}>
        {status}
      </p>
    </div>
  )
}

interface ButtonProps {
  upload: Upload
  /** Resolves with the list and fresh links, for when the upload's link has expired. */
  refresh: () => Promise<readonly Upload[]>
  variant?: 'secondary' | 'ghost'
}

/** Saves the original of one upload under its original name. */
export const DownloadButton = ({ upload, refresh, variant = 'secondary' }: ButtonProps) => {
  const t = useText()
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

  return (
    <IconButton
      variant={variant}
      label={t(isBusy ? 'album.file.downloading' : 'album.file.download', { name: upload.originalName })}
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) void download()
      }}
    >
      {isBusy ? (
        <LoaderCircle size={20} aria-hidden className={styles.spinner} />
      ) : (
        <Download size={20} aria-hidden />
      )}
    </IconButton>
  )
}
