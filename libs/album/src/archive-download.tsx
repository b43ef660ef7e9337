import { useEffect, useRef, useState } from 'react'
import FileArchive from 'lucide-react/icons/file-archive'
import Folders from 'lucide-react/icons/folders'
import ListChecks from 'lucide-react/icons/list-checks'
import { ApiError, checkDownload, wait } from '@confetti/api-client'
import type { Archive, ArchiveOptions, UploadTotal } from '@confetti/contracts'
import { getFailureText, PageError } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { DownloadControl } from './download-control.tsx'
import type { EventCalls } from './event-calls.ts'
import { getText, useText } from './texts.ts'
import { formatSize } from './upload.ts'

/** Creates a link to an archive of an event's uploads, as the role of the caller. */
export type CreateArchive = EventCalls['createArchive']

const DEFAULT_RETRY_AFTER_MS = 5_000
const MAX_LINK_CHECKS = 6
// Connections are lost and replicas restart during the minutes of a preparation.
const MAX_FAILURES_IN_A_ROW = 10

interface RequestOptions {
  signal: AbortSignal
  /** Called each time that the server asks to wait. */
  onWait: (reason: ApiError | PageError) => void
}

/** Waits as long as the server asked for. Rejects when aborted. */
const waitToRetry = async ({ retryAfterMs = DEFAULT_RETRY_AFTER_MS }: ApiError, signal: AbortSignal) => {
  await wait(retryAfterMs, signal)
  signal.throwIfAborted()
}

/** Creates an archive. Once the server has begun to prepare it, errors that may pass do not end the wait for it. */
const createWhenPrepared = async (
  createArchive: CreateArchive,
  body: ArchiveOptions,
  { signal, onWait }: RequestOptions,
): Promise<Archive> => {
  let isPreparing = false
  let failures = 0
  for (;;) {
    try {
      return await createArchive(body, { signal, quiet: true })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'archive_preparing') {
        isPreparing = true
        failures = 0
        onWait(error)
      } else {
        failures += 1
        if (!isPreparing || !error.isRetryable || failures === MAX_FAILURES_IN_A_ROW) throw error
      }
      await waitToRetry(error, signal)
    }
  }
}

/** Resolves when a link can be downloaded. While the server has too many downloads (503) it checks a few times. */
const checkLink = async (url: string, { signal, onWait }: RequestOptions): Promise<void> => {
  for (let checks = 1; ; checks += 1) {
    try {
      await checkDownload(url, signal)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError) || error.status !== 503 || checks === MAX_LINK_CHECKS) throw error
      onWait(new PageError(() => getText('album.download.serverBusy')))
      await waitToRetry(error, signal)
    }
  }
}

/**
 * Requests an archive until it is ready: the server may need minutes to compute checksums of old uploads. Its link is
 * checked, because a refused download would replace the page by the server's error.
 */
const requestArchive = async (
  createArchive: CreateArchive,
  body: ArchiveOptions,
  options: RequestOptions,
): Promise<Archive> => {
  const archive = await createWhenPrepared(createArchive, body, options)
  options.signal.throwIfAborted()
  await checkLink(archive.url, options)
  options.signal.throwIfAborted()
  return archive
}

/** Hands a link to the browser's downloads, which fetch the file without the page. */
const openDownload = (url: string, name: string): void => {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

interface ArchiveCallbacks {
  createArchive: CreateArchive
  /** Called if one of the selected uploads no longer exists. */
  onUploadNotFound?: () => void
}

const isUploadNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'upload_not_found'

/** Creates an archive and hands its link to the browser's downloads. Leaving the page before stops it. */
export const useArchive = ({ createArchive, onUploadNotFound }: ArchiveCallbacks) => {
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

interface ControlProps {
  archive: ReturnType<typeof useArchive>
}

/** What the controls of an archive have in common: while it is being prepared, a second button cancels it. */
const useArchiveControl = ({ archive }: ControlProps) => {
  const t = useText()
  return {
    busyLabel: t('album.download.preparing'),
    stopLabel: t('common.cancel'),
    isBusy: archive.isBusy,
    status: archive.waitReason && getFailureText(archive.waitReason),
    onStop: archive.cancel,
  }
}

interface SelectedProps extends ControlProps {
  label: string
  options: ArchiveOptions
  isDisabled: boolean
}

/** Downloads an archive of what is selected. */
export const ArchiveControl = ({ archive, label, options, isDisabled }: SelectedProps) => (
  <DownloadControl
    {...useArchiveControl({ archive })}
    label={label}
    isDisabled={isDisabled}
    onStart={() => archive.start(options)}
  />
)

interface Props {
  createArchive: CreateArchive
  /** The uploads of the event; undefined until they are known. */
  total: Pick<UploadTotal, 'files' | 'bytes'> | undefined
  /** Adds the choice of single uploads, which the caller then lets the user select. */
  onSelect?: () => void
}

const DownloadChoices = ({ createArchive, total, onSelect }: Props) => {
  const t = useText()
  const archive = useArchive({ createArchive })
  const everything = total
    ? t('album.download.everythingOf', { files: total.files, size: formatSize(total.bytes) })
    : t('album.download.everything')
  return (
    <DownloadControl
      {...useArchiveControl({ archive })}
      label={t('album.download')}
      variant="secondary"
      size="small"
      choices={{
        items: [
          {
            label: everything,
            icon: <FileArchive size={20} aria-hidden />,
            onSelect: () => archive.start({ folders: 'none' }),
          },
          {
            label: t('album.download.folders.guests'),
            icon: <Folders size={20} aria-hidden />,
            onSelect: () => archive.start({ folders: 'credit' }),
          },
          ...(onSelect
            ? [
                {
                  label: t('album.download.select'),
                  icon: <ListChecks size={20} aria-hidden />,
                  onSelect,
                },
              ]
            : []),
        ],
        note: t('album.download.hint'),
      }}
    />
  )
}

/** Downloads all uploads of an event as one archive, with folders by guest or none. Shows nothing if there are none. */
export const ArchiveDownload = (props: Props) =>
  props.total?.files === 0 ? null : <DownloadChoices {...props} />
