import { useState } from 'react'
import type { ArchiveOptions, UploadTotal } from '@confetti/contracts'
import { Segmented } from '@confetti/ui/segmented'
import { ArchiveButton } from './archive-button.tsx'
import styles from './archive-download.module.css'
import { formatFiles, formatSize } from './format-size.ts'
import type { CreateArchive } from './request-archive.ts'

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

/** Downloads all uploads of an event as one archive. Shows nothing if there are none. */
export const DownloadEverything = ({
  createArchive,
  total,
  folders = 'none',
}: Props & { folders?: Folders }) => {
  if (total?.files === 0) return null
  const size = total && `: ${formatFiles(total.files)}, ${formatSize(total.bytes)}`
  return (
    <ArchiveButton
      label={`Download everything${size ?? ''}`}
      createArchive={createArchive}
      options={{ folders }}
    />
  )
}

/** Downloads all uploads of an event as one archive, with a choice of folders. Shows nothing if there are none. */
export const ArchiveDownload = ({ createArchive, total }: Props) => {
  const [folders, setFolders] = useState<Folders>('none')
  if (total?.files === 0) return null
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        <DownloadEverything createArchive={createArchive} total={total} folders={folders} />
        <Segmented
          label="Folders"
          options={folderChoices}
          value={folders}
          onChange={setFolders}
          getLabel={(choice) => folderLabels[choice]}
        />
      </div>
      <p className={styles.hint}>{DOWNLOAD_HINT}</p>
    </div>
  )
}
