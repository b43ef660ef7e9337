import { useCallback, useRef, type CSSProperties, type RefObject } from 'react'
import { useText } from '../../texts.ts'
import styles from './file-list.module.css'
import { FileRow } from './file-row.tsx'
import { formatSize } from './file-validation.ts'
import type { SelectedFile } from './selected-file.ts'

interface Props {
  files: readonly SelectedFile[]
  onRemove: (id: number) => void
  onRetry: (id: number) => void
  /** Gets the focus when the last file is removed. */
  fileInput: RefObject<HTMLInputElement | null>
}

const getTotalBytes = (files: readonly SelectedFile[]): number =>
  files.reduce((sum, { file }) => sum + file.size, 0)

/** The selected files, numbered. */
export const FileList = ({ files, onRemove, onRetry, fileInput }: Props) => {
  const t = useText()
  const list = useRef<HTMLOListElement>(null)

  // The pressed button is removed, so the focus moves to the next row. Otherwise it would go to the top of the page.
  const remove = useCallback(
    (id: number): void => {
      const row = list.current?.querySelector(`[data-id="${id}"]`)
      const neighbour = (row?.nextElementSibling ?? row?.previousElementSibling) as
        HTMLElement | null | undefined
      onRemove(id)
      const target = neighbour?.querySelector('button') ?? neighbour ?? fileInput.current
      target?.focus({ preventScroll: true })
    },
    [onRemove, fileInput],
  )

  if (files.length === 0) return null
  return (
    <section>
      <h2 className={styles.title}>
        {t('common.files', { count: files.length })}{' '}
        <span className={styles.size}>{formatSize(t, getTotalBytes(files))}</span>
      </h2>
      <ol ref={list} role="list" style={{ '--digits': `${files.length}`.length } as CSSProperties}>
        {files.map((selectedFile, index) => (
          <FileRow
            key={selectedFile.id}
            number={index + 1}
            selectedFile={selectedFile}
            onRemove={remove}
            onRetry={onRetry}
          />
        ))}
      </ol>
    </section>
  )
}
