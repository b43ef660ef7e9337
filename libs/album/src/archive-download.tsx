import { useState } from 'react'
import type { ArchiveOptions, UploadTotal } from '@confetti/contracts'
import { Segmented } from '@confetti/ui/segmented'
import { ArchiveButton } from './archive-button.tsx'
import styles from './archive-download.module.css'
import { formatFiles, formatSize } from './format-size.ts'
import type { CreateArchive } from './request-archive.ts'
import { useArchiveDownload } from './use-archive-download.ts'

export type { CreateArchive } from './request-archive.ts'

/** Says when to download everything, and when to download batches. */
export const DOWNLOAD_HINT =
  "Download everything saves one ZIP file, which your browser can resume. If a device can't open large ZIP files, download batches of 10, 50 or 100 files."

type Folders = ArchiveOptions['folders']

const folderChoices = ['none', 'credit'] as const
const folderLabels: Record<Folders, string> = { none: 'No folders', credit: 'A folder for each guest' }

interface Props {
  createArchive: CreateArchive
  /** The uploads of the event; undefined until they are known. */
  total: Pick<UploadTotal, 'files' | 'bytes'> | undefined
}

const labelOf = (total: Props['total']): string =>
  `Download everything${total ? `: ${formatFiles(total.files)}, ${formatSize(total.bytes)}` : ''}`

const EverythingButton = ({ createArchive, total }: Props) => {
  const download = useArchiveDownload({ createArchive })
  return <ArchiveButton label={labelOf(total)} download={download} options={{ folders: 'none' }} />
}

const EverythingPanel = ({ createArchive, total }: Props) => {
  const [folders, setFolders] = useState<Folders>('none')
  const download = useArchiveDownload({ createArchive })
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        <ArchiveButton label={labelOf(total)} download={download} options={{ folders }} />
        <Segmented
          label="Folders"
          options={folderChoices}
          value={folders}
          onChange={setFolders}
          disabled={download.isBusy}
          getLabel={(choice) => folderLabels[choice]}
        />
      </div>
      <p className={styles.hint}>{DOWNLOAD_HINT}</p>
    </div>
  )
}

/** Downloads all uploads of an event as one archive. Shows nothing if there are none. */
export const DownloadEverything = (props: Props) =>
  props.total?.files === 0 ? null : <EverythingButton {...props} />

/** Downloads all uploads of an event as one archive, with a choice of folders. Shows nothing if there are none. */
export const ArchiveDownload = (props: Props) =>
  props.total?.files === 0 ? null : <EverythingPanel {...props} />
