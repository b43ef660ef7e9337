import { useState } from 'react'
import type { ArchiveOptions, UploadTotal } from '@confetti/contracts'
import { Segmented } from '@confetti/ui/segmented'
import { ArchiveButton } from './archive-button.tsx'
import styles from './archive-download.module.css'
import { formatSize } from './format-size.ts'
import type { CreateArchive } from './request-archive.ts'
import { useText, type Text, type TextId } from './texts.ts'
import { useArchiveDownload } from './use-archive-download.ts'

export type { CreateArchive } from './request-archive.ts'

/** Says when to download everything, and when to download batches. */
export const DownloadHint = () => useText()('album.download.hint')

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
}

const labelOf = (t: Text, total: Props['total']): string =>
  total
    ? t('album.download.everythingOf', { files: total.files, size: formatSize(total.bytes) })
    : t('album.download.everything')

const EverythingButton = ({ createArchive, total }: Props) => {
  const t = useText()
  const download = useArchiveDownload({ createArchive })
  return <ArchiveButton label={labelOf(t, total)} download={download} options={{ folders: 'none' }} />
}

const EverythingPanel = ({ createArchive, total }: Props) => {
  const t = useText()
  const [folders, setFolders] = useState<Folders>('none')
  const download = useArchiveDownload({ createArchive })
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        <ArchiveButton label={labelOf(t, total)} download={download} options={{ folders }} />
        <Segmented
          label={t('album.download.folders')}
          options={folderChoices}
          value={folders}
          onChange={setFolders}
          disabled={download.isBusy}
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
export const DownloadEverything = (props: Props) =>
  props.total?.files === 0 ? null : <EverythingButton {...props} />

/** Downloads all uploads of an event as one archive, with a choice of folders. Shows nothing if there are none. */
export const ArchiveDownload = (props: Props) =>
  props.total?.files === 0 ? null : <EverythingPanel {...props} />
