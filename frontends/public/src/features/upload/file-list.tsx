import { memo, useCallback, useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react'
import Check from 'lucide-react/icons/check'
import ImageIcon from 'lucide-react/icons/image'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { useText } from '../../texts.ts'
import styles from './file-list.module.css'
import { formatSize, isVideoFile } from './file-validation.ts'
import { loadUploadCode } from './page-queues.ts'
import { canRetry, isOverQuota, type SelectedFile } from './selected-files.ts'

/**
 * A small preview of a photo or of a video's frame, or an icon if the browser cannot decode the file. Hidden from screen
 * readers, which read the file's name beside it.
 */
const Preview = ({ file }: { file: File }) => {
  const isVideo = isVideoFile(file)
  const canvasRef = useRef<HTMLCanvasElement>(null)
  const [isDrawn, setIsDrawn] = useState(false)

  useEffect(() => {
    const canvas = canvasRef.current
    if (!canvas || isDrawn) return
    let stop: (() => void) | undefined
    let isStopped = false
    void loadUploadCode().then((uploadCode) => {
      if (!isStopped) stop = uploadCode?.drawPreview({ file, canvas, onDrawn: () => setIsDrawn(true) })
    })
    return () => {
      isStopped = true
      stop?.()
    }
  }, [file, isDrawn])

  return (
    <span aria-hidden="true" className={`${styles.tile} ${isVideo ? styles.video : ''}`}>
      {isVideo ? <Play size={22} /> : <ImageIcon size={22} />}
      <canvas ref={canvasRef} className={isDrawn ? styles.drawn : styles.blank} />
      {isVideo && isDrawn && <Play size={20} className={styles.badge} />}
    </span>
  )
}

interface RowActions {
  onRemove: (id: number) => void
  onRetry: (id: number) => void
}

const getPercent = ({ file, sentBytes }: SelectedFile): number => Math.floor((100 * sentBytes) / file.size)

const Detail = ({ selectedFile }: { selectedFile: SelectedFile }) => {
  const t = useText()
  const { file, status, error } = selectedFile
  // With all bytes sent, only the answer is waited for.
  if (status === 'sending' && selectedFile.sentBytes < file.size)
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

interface RowProps extends RowActions {
  number: number
  selectedFile: SelectedFile
}

/** One file of the list. Memoised, because of 200 rows only three change at a time. */
const FileRow = memo(({ number, selectedFile, onRemove, onRetry }: RowProps) => {
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
          {/* The organisers may make room. */}
          {(canRetry(selectedFile) || isOverQuota(selectedFile)) && (
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
  const accepted = files.filter(({ status, isRejected }) => status !== 'invalid' && !isRejected)
  return (
    <section>
      <h2 className={styles.title}>
        {t('common.files', { count: accepted.length })}{' '}
        <span className={styles.totalSize}>{formatSize(t, getTotalBytes(accepted))}</span>
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
