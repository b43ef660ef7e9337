import { memo } from 'react'
import Check from 'lucide-react/icons/check'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '@confetti/ui/button'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { ProgressBar } from '@confetti/ui/progress-bar'
import styles from './file-row.module.css'
import { formatSize } from './file-validation.ts'
import { Preview } from './preview.tsx'
import type { SelectedFile } from './selected-file.ts'

interface RowActions {
  onRemove: (id: number) => void
  onRetry: (id: number) => void
}

const getPercent = ({ file, sentBytes }: SelectedFile): number => Math.floor((100 * sentBytes) / file.size)

const Detail = ({ selectedFile }: { selectedFile: SelectedFile }) => {
  const { file, status, message } = selectedFile
  if (status === 'sending')
    return <ProgressBar label={`Sending ${file.name}`} value={getPercent(selectedFile)} />
  if (status === 'queued' && message) return <span className={styles.size}>Will retry automatically</span>
  return <span className={styles.size}>{formatSize(file.size)}</span>
}

interface StatusProps extends Pick<RowActions, 'onRemove'> {
  selectedFile: SelectedFile
}

/** The status of a file, and the button that removes it. */
const Status = ({ selectedFile, onRemove }: StatusProps) => {
  const { id, file, status } = selectedFile
  if (status === 'sent')
    return (
      <span className={styles.sent}>
        <Check size={16} aria-hidden />
        Sent
      </span>
    )
  const isActive = status === 'queued' || status === 'sending'
  return (
    <div className={styles.status}>
      {status === 'queued' && 'Waiting'}
      {status === 'sending' && `${getPercent(selectedFile)} %`}
      <IconButton
        variant="ghost"
        label={`${isActive ? 'Cancel' : 'Remove'} ${file.name}`}
        onClick={() => onRemove(id)}
      >
        <X size={20} aria-hidden />
      </IconButton>
    </div>
  )
}

interface Props extends RowActions {
  number: number
  selectedFile: SelectedFile
}

/** One file of the list. Memoised, because of 200 rows only three change at a time. */
export const FileRow = memo(({ number, selectedFile, onRemove, onRetry }: Props) => {
  const { id, file, status, message } = selectedFile
  const error = status === 'invalid' || status === 'failed' ? message : undefined
  const { target, within } = useKeepFocus<HTMLLIElement>()
  return (
    <li
      ref={target}
      className={`${styles.row} ${error ? styles.withError : ''}`}
      data-id={id}
      tabIndex={-1}
      {...within}
    >
      <span className={styles.number}>{number}</span>
      <div className={styles.preview}>
        <Preview file={file} />
      </div>
      <div className={styles.details}>
        <b className={styles.name} title={file.name}>
          {file.name}
        </b>
        <Detail selectedFile={selectedFile} />
      </div>
      <Status selectedFile={selectedFile} onRemove={onRemove} />
      {error && (
        <div className={styles.errorRow}>
          <p className={styles.error}>{error}</p>
          {status === 'failed' && (
            <Button
              variant="secondary"
              size="small"
              icon={<RotateCw size={16} aria-hidden />}
              aria-label={`Retry ${file.name}`}
              onClick={() => onRetry(id)}
            >
              Retry
            </Button>
          )}
        </div>
      )}
    </li>
  )
})
FileRow.displayName = 'FileRow'
