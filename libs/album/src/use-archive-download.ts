import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@confetti/api-client'
import type { ArchiveOptions } from '@confetti/contracts'
import { getFailureText, type PageError } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { requestArchive, type CreateArchive } from './request-archive.ts'
import { openDownload } from './save-file.ts'
import { getText } from './texts.ts'

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
  const [waitReason, setWaitReason] = useState<ApiError | PageError>()
  const running = useRef<AbortController>(undefined)

  useEffect(
    () => () => {
      if (!running.current) return
      running.current.abort()
      notify({ title: getText('album.download.stopped'), message: getText('album.download.notStarted') })
    },
    [],
  )

  const reset = (): void => {
    running.current = undefined
    setIsBusy(false)
    setWaitReason(undefined)
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
        onWait: setWaitReason,
      })
      openDownload(url, filename)
      notify({
        title: getText('album.download.started'),
        message: getText('album.download.started.hint'),
      })
    } catch (error) {
      if (controller.signal.aborted) return
      notifyError(getFailureText(error), getText('album.download.failed'))
      if (isUploadNotFound(error)) onUploadNotFound?.()
    } finally {
      if (running.current === controller) reset()
    }
  }

  return {
    /** Whether the archive is being prepared. */
    isBusy,
    /** Why the download has not started yet, if the server asks to wait. */
    waitReason,
    start: (body: ArchiveOptions) => void start(body),
    cancel: (): void => {
      running.current?.abort()
      reset()
      notify({ title: getText('album.download.stopped') })
    },
  }
}
export type ArchiveDownloadState = ReturnType<typeof useArchiveDownload>
