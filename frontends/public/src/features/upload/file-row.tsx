import { memo } from 'react'
import Check from 'lucide-react/icons/check'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '@confetti/ui/button'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { sizeText } from './file-choice.ts'
import styles from './file-row.module.css'
import { Preview } from './preview.tsx'
import type { ChosenFile } from './chosen-file.ts'

interface RowActions {
  onRemove: (id: number) => void
  onRetry: (id: number) => void
}

const percentOf = ({ file, sentBytes }: ChosenFile): number => Math.floor((100 * sentBytes) / file.size)

const Detail = ({ chosen }: { chosen: ChosenFile }) => {
  const { file, status, message } = chosen
  if (status === 'sending') return <ProgressBar label={`Sending ${file.name}`} value={percentOf(chosen)} />
  if (status === 'waiting' && message) return <span className={styles.size}>Goes again by itself</span>
  return <span className={styles.size}>{sizeText(file.size)}</span>
}

const Side = ({ chosen, onRemove }: { chosen: ChosenFile } & Pick<RowActions, 'onRemove'>) => {
  const { id, file, status } = chosen
  switch (status) {
    case 'ready':
    case 'unfit':
    case 'failed':
      return (
        <IconButton look="bare" label={`Remove ${file.name}`} onClick={() => onRemove(id)}>
          <X size={20} aria-hidden />
        </IconButton>
      )
    case 'waiting':
      return <span className={styles.state}>Waiting</span>
    case 'sending':
      return <span className={styles.state}>{percentOf(chosen)} %</span>
    case 'sent':
      return (
        <span className={styles.sent}>
          <Check size={16} aria-hidden />
          Sent
        </span>
      )
  }
}

interface Props extends RowActions {
  number: number
  chosen: ChosenFile
}

/** One file of the list. Memoised: of 200 rows, three move. */
export const FileRow = memo(({ number, chosen, onRemove, onRetry }: Props) => {
  const { id, file, status, message } = chosen
  const reason = status === 'unfit' || status === 'failed' ? message : undefined
  return (
    <li className={`${styles.row} ${reason ? styles.explained : ''}`} data-id={id} tabIndex={-1}>
      <span className={styles.number}>{number}</span>
      <div className={styles.picture}>
        <Preview file={file} />
      </div>
      <div className={styles.what}>
        <b className={styles.name} title={file.name}>
          {file.name}
        </b>
        <Detail chosen={chosen} />
      </div>
      <Side chosen={chosen} onRemove={onRemove} />
      {reason && (
        <div className={styles.after}>
          <p className={styles.bad}>{reason}</p>
          {status === 'failed' && (
            <Button
              look="quiet"
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
