import { useState } from 'react'
import type { ArchiveOptions, UploadTotal } from '@confetti/contracts'
import { getFailureText } from '@confetti/ui/failure-text'
import { Segmented } from '@confetti/ui/segmented'
import styles from './archive-download.module.css'
import { DownloadControl } from './download-control.tsx'
import { formatSize } from './format-size.ts'
import { useText, type TextId } from './texts.ts'
import { useArchive, type CreateArchive } from './use-archive.ts'

export type { CreateArchive } from './use-archive.ts'

/** Says when to download everything, and when to download batches. */
export const DownloadHint = () => useText()('album.download.hint')

interface ControlProps {
  label: string
  archive: ReturnType<typeof useArchive>
  options: ArchiveOptions
  isDisabled?: boolean
}

/** Downloads an archive; while it is being prepared, a second button cancels it. */
export const ArchiveControl = ({ label, archive, options, isDisabled = false }: ControlProps) => {
  const t = useText()
  return (
    <DownloadControl
      label={label}
      busyLabel={t('album.download.preparing')}
      stopLabel={t('common.cancel')}
      isBusy={archive.isBusy}
      isDisabled={isDisabled}
      status={archive.waitReason && getFailureText(archive.waitReason)}
      onStart={() => archive.start(options)}
      onStop={archive.cancel}
    />
  )
}

type Folders = ArchiveOptions['folders']

const folderChoices = ['none', 'credit'] as const
const folderLabelIds: Record<Folders, TextId> = {
  none: 'album.download.folders.none',
  credit: 'album.download.folders.guests',
}

interface Props {
  createArchive: CreateArchive
  /** The uploads of the event; undefined until they are known. */
  total: Pick<UploadTotal, 'files' | 'bytes'> | undefined
  /** Adds a choice of folders, and a hint. */
  isPanel?: boolean
}

const EverythingControl = ({ createArchive, total, isPanel = false }: Props) => {
  const t = useText()
  const [folders, setFolders] = useState<Folders>('none')
  const archive = useArchive({ createArchive })
  const label = total
    ? t('album.download.everythingOf', { files: total.files, size: formatSize(total.bytes) })
    : t('album.download.everything')
  const control = <ArchiveControl label={label} archive={archive} options={{ folders }} />
  if (!isPanel) return control
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        {control}
        <Segmented
          label={t('album.download.folders')}
          options={folderChoices}
          value={folders}
          onChange={setFolders}
          disabled={archive.isBusy}
          getLabel={(choice) => t(folderLabelIds[choice])}
        />
      </div>
      <p className={styles.hint}>
        <DownloadHint />
      </p>
    </div>
  )
}

/** Downloads all uploads of an event as one archive. Shows nothing if there are none. */
export const ArchiveDownload = (props: Props) =>
  props.total?.files === 0 ? null : <EverythingControl {...props} />
