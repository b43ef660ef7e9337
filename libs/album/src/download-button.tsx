import { useState } from 'react'
import Download from 'lucide-react/icons/download'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import { messageOf } from '@confetti/api-client'
import type { Upload } from '@confetti/contracts'
import { IconButton } from '@confetti/ui/button'
import { notifyError } from '@confetti/ui/notify'
import styles from './download-button.module.css'
import { FetchFailed, fetchChunks, isOutOfMemory } from './fetch-file.ts'
import { saveFile } from './save-file.ts'

interface Props {
  upload: Upload
  /** Brings the list with fresh links, for when this one's has expired. */
  refresh: () => Promise<readonly Upload[]>
  look?: 'quiet' | 'bare'
  className?: string
}

/** Saves one original under the name it came with. */
export const DownloadButton = ({ upload, refresh, look = 'quiet', className }: Props) => {
  const [busy, setBusy] = useState(false)

  const fetchOriginal = async () => {
    try {
      return await fetchChunks(upload.url)
    } catch (error) {
      if (!(error instanceof FetchFailed) || error.status !== 403) throw error
      const fresh = (await refresh()).find(({ _id }) => _id === upload._id)
      if (!fresh || fresh.url === upload.url) throw error
      return fetchChunks(fresh.url)
    }
  }

  // Goes on when the card is scrolled away, which takes this button off the page: the file has been asked for.
  const download = async (): Promise<void> => {
    setBusy(true)
    try {
      saveFile(new Blob([...(await fetchOriginal())], { type: upload.contentType }), upload.originalName)
    } catch (error) {
      const message = isOutOfMemory(error)
        ? `There was not enough memory for ${upload.originalName}.`
        : messageOf(error)
      notifyError(message, 'Download Failed')
    } finally {
      setBusy(false)
    }
  }

  return (
    <IconButton
      look={look}
      className={className}
      label={busy ? `Downloading ${upload.originalName}` : `Download ${upload.originalName}`}
      aria-disabled={busy}
      onClick={() => {
        if (!busy) void download()
      }}
    >
      {busy ? (
        <LoaderCircle size={20} aria-hidden className={styles.turning} />
      ) : (
        <Download size={20} aria-hidden />
      )}
    </IconButton>
  )
}
