import { useCallback, useRef, type CSSProperties, type RefObject } from 'react'
import { sizeText } from './file-choice.ts'
import styles from './file-list.module.css'
import { FileRow } from './file-row.tsx'
import type { ChosenFile } from './chosen-file.ts'
import { filesText } from './words.ts'

interface Props {
  files: readonly ChosenFile[]
  onRemove: (id: number) => void
  onRetry: (id: number) => void
  /** Where the focus goes when the last file is gone. */
  picker: RefObject<HTMLInputElement | null>
}

const totalSize = (files: readonly ChosenFile[]): number =>
  files.reduce((sum, { file }) => sum + file.size, 0)

const rowsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[data-id]') ?? []),
]

/** The chosen files, numbered. */
export const FileList = ({ files, onRemove, onRetry, picker }: Props) => {
  const list = useRef<HTMLOListElement>(null)

  // What is pressed goes, and the focus would fall to the top of the page: it stays in the list.
  const remove = useCallback(
    (id: number): void => {
      const rows = rowsIn(list.current)
      const index = rows.findIndex(({ dataset }) => dataset.id === String(id))
      const neighbour = rows[index + 1] ?? rows[index - 1]
      onRemove(id)
      const heir = neighbour?.querySelector('button') ?? neighbour ?? picker.current
      heir?.focus({ preventScroll: true })
    },
    [onRemove, picker],
  )
  const retry = useCallback(
    (id: number): void => {
      onRetry(id)
      const row = rowsIn(list.current).find(({ dataset }) => dataset.id === String(id))
      row?.focus({ preventScroll: true })
    },
    [onRetry],
  )

  if (files.length === 0) return null
  return (
    <section>
      <h2 className={styles.title}>
        {filesText(files.length)} <span className={styles.size}>{sizeText(totalSize(files))}</span>
      </h2>
      <ol ref={list} role="list" style={{ '--digits': `${files.length}`.length } as CSSProperties}>
        {files.map((chosen, index) => (
          <FileRow key={chosen.id} number={index + 1} chosen={chosen} onRemove={remove} onRetry={retry} />
        ))}
      </ol>
    </section>
  )
}
