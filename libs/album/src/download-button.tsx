import { useState } from 'react'
import Download from 'lucide-react/icons/download'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import type { Upload } from '@confetti/contracts'
import { IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { notifyError } from '@confetti/ui/notify'
import styles from './download-button.module.css'
import { FileFetchError, fetchChunks, isOutOfMemory } from './fetch-file.ts'
import { saveFile } from './save-file.ts'
import { getText, useText } from './texts.ts'

interface Props {
  upload: Upload
  /** Resolves with the list and fresh links, for when the upload's link has expired. */
  refresh: () => Promise<readonly Upload[]>
  variant?: 'secondary' | 'ghost'
  className?: string
}

/** Saves the original of one upload under its original name. */
export const DownloadButton = ({ upload, refresh, variant = 'secondary', className }: Props) => {
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
      className={className}
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
