import { useEffect, useRef, useState } from 'react'
import FileArchive from 'lucide-react/icons/file-archive'
import Folders from 'lucide-react/icons/folders'
import ListChecks from 'lucide-react/icons/list-checks'
import type { ApiError } from '@confetti/api-client'
import type { ArchiveOptions, UploadTotal } from '@confetti/contracts'
import { getFailureText, PageError } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { DownloadControl } from './download-control.tsx'
import type { EventCalls } from './event-calls.ts'
import { openDownload, requestArchive } from './request-archive.ts'
import { getText, useText } from './texts.ts'
import { isUploadNotFound } from './upload-not-found.ts'
import { formatSize } from './upload.ts'

/** Creates a link to an archive of an event's uploads, as the role of the caller. */
export type CreateArchive = EventCalls['createArchive']

interface ArchiveCallbacks {
  createArchive: CreateArchive
  /** Called if one of the selected uploads no longer exists. */
  onUploadNotFound?: () => void
}

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
      const { url, filename } = await requestArchive((options) => createArchive(body, options), {
        signal,
        onWait: (reason) =>
          setWaitReason(
            reason === 'busy' ? new PageError(() => getText('album.download.serverBusy')) : reason,
          ),
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
    size="small"
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
