import { memo } from 'react'
import Check from 'lucide-react/icons/check'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { useText } from '../../texts.ts'
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
  const t = useText()
  const { file, status, error } = selectedFile
  if (status === 'sending')
    return (
      <ProgressBar label={t('upload.file.sending', { name: file.name })} value={getPercent(selectedFile)} />
    )
  if (status === 'queued' && error) return <span className={styles.size}>{t('upload.file.willRetry')}</span>
  return <span className={styles.size}>{formatSize(t, file.size)}</span>
}

interface StatusProps extends Pick<RowActions, 'onRemove'> {
  selectedFile: SelectedFile
}

/** The status of a file, and the button that removes it. */
const Status = ({ selectedFile, onRemove }: StatusProps) => {
  const t = useText()
  const { id, file, status } = selectedFile
  if (status === 'sent')
    return (
      <span className={styles.sent}>
        <Check size={16} aria-hidden />
        {t('upload.file.sent')}
      </span>
    )
  const isActive = status === 'queued' || status === 'sending'
  return (
    <div className={styles.status}>
      {status === 'queued' && t('upload.file.waiting')}
      {status === 'sending' && t('upload.file.percent', { percent: getPercent(selectedFile) })}
      <IconButton
        variant="ghost"
        label={t(isActive ? 'upload.file.cancel' : 'upload.file.remove', { name: file.name })}
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
  const t = useText()
  const { id, file, status } = selectedFile
  const error = status === 'invalid' || status === 'failed' ? getFailureText(selectedFile.error) : undefined
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
          <bdi>{file.name}</bdi>
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
              aria-label={t('upload.file.retry', { name: file.name })}
              onClick={() => onRetry(id)}
            >
              {t('common.retry')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
})
FileRow.displayName = 'FileRow'
