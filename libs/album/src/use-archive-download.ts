import { useEffect, useRef, useState } from 'react'
import { ApiError, getErrorMessage } from '@confetti/api-client'
import type { ArchiveOptions } from '@confetti/contracts'
import { notify, notifyError } from '@confetti/ui/notify'
import { requestArchive, type CreateArchive } from './request-archive.ts'
import { openDownload } from './save-file.ts'

interface Options {
  createArchive: CreateArchive
  /** Called if one of the selected uploads no longer exists. */
  onUploadNotFound?: () => void
}

const isUploadNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'upload_not_found'

/** Creates an archive and hands its link to the browser's downloads. Leaving the page before stops it. */
export const useArchiveDownload = ({ createArchive, onUploadNotFound }: Options) => {
  const [isBusy, setIsBusy] = useState(false)
  const [progress, setProgress] = useState<string>()
  const running = useRef<AbortController>(undefined)

  useEffect(
    () => () => {
      if (!running.current) return
      running.current.abort()
      notify({ title: 'Download stopped', message: 'It had not started yet.' })
    },
    [],
  )

  const reset = (): void => {
    running.current = undefined
    setIsBusy(false)
    setProgress(undefined)
  }

  const start = async (body: ArchiveOptions): Promise<void> => {
    if (running.current) return
    const controller = new AbortController()
    running.current = controller
    setIsBusy(true)
    try {
      const { signal } = controller
      const { url, filename } = await requestArchive(createArchive, body, {
        signal,
        onProgress: setProgress,
      })
      openDownload(url, filename)
      notify({
        title: 'Your download has started',
        message: "If it is interrupted, resume it in your browser's downloads.",
      })
    } catch (error) {
      if (controller.signal.aborted) return
      notifyError(getErrorMessage(error), 'Download Failed')
      if (isUploadNotFound(error)) onUploadNotFound?.()
    } finally {
      if (running.current === controller) reset()
    }
  }

  return {
    /** Whether the archive is being prepared. */
    isBusy,
    /** Why the download has not started yet, if the server asks to wait. */
    progress,
    start: (body: ArchiveOptions) => void start(body),
    cancel: (): void => {
      running.current?.abort()
      reset()
      notify({ title: 'Download stopped' })
    },
  }
}
export type ArchiveDownloadState = ReturnType<typeof useArchiveDownload>
