import { useCallback, useRef, useState, type SubmitEvent } from 'react'
import { browserStorage } from '@confetti/api-client'
import { countCodePoints, defaultTextLimits, normaliseText, type GuestEvent } from '@confetti/contracts'
import { TextField } from '@confetti/ui/field'
import { notifyError } from '@confetti/ui/notify'
import { getText, useText } from '../../texts.ts'
import { FileList } from './file-list.tsx'
import { FilePicker } from './file-picker.tsx'
import { isSupported } from './file-validation.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { recogniseTypes } from './load-upload-code.ts'
import { getProgress } from './progress.ts'
import { SendFooter } from './send-footer.tsx'
import type { QueueState, SendQueue } from './send-queue.ts'
import { getPauseText } from './texts.ts'
import styles from './upload-form.module.css'
import { UnsentNotice } from './unsent/unsent-notice.tsx'
import { useUnsentFiles } from './unsent/use-unsent-files.ts'
import { useOnline } from './use-online.ts'
import { useOutcome } from './use-outcome.ts'

const CREDIT_KEY = 'photoCredit'
const { MAX_CREDIT_CHARACTERS } = defaultTextLimits

interface Props {
  event: GuestEvent
  queue: SendQueue
  state: QueueState
}

/** The guest's name, the file list, and the footer with the upload button or the progress. */
export const UploadForm = ({ event, queue, state: { files, pauseReason } }: Props) => {
  const t = useText()
  const [name, setName] = useState(() => browserStorage.get(CREDIT_KEY) ?? '')
  const [isNameMissing, setIsNameMissing] = useState(false)
  const nameField = useRef<HTMLDivElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const isOnline = useOnline()
  const progress = getProgress(files)
  const credit = name.trim()
  const isTooLong = countCodePoints(normaliseText(name)) > MAX_CREDIT_CHARACTERS
  const nameError = isNameMissing
    ? t('upload.credit.missing')
    : isTooLong
      ? t('upload.credit.tooLong', { max: MAX_CREDIT_CHARACTERS })
      : undefined
  const { finish } = useOutcome({ event, queue, progress, credit })
  const { limits } = event
  const { waiting, missingCount, discard } = useUnsentFiles({ eventId: event._id, queue, files, limits })

  const validateName = useCallback((): boolean => {
    setIsNameMissing(!credit)
    const isValid = credit !== '' && !isTooLong
    if (isValid) browserStorage.set(CREDIT_KEY, credit)
    else nameField.current?.querySelector('input')?.focus()
    return isValid
  }, [credit, isTooLong])

  const submit = (submitEvent: SubmitEvent): void => {
    submitEvent.preventDefault()
    if (progress.busy) return
    if (progress.ready === 0) notifyError(getText('upload.noFiles'), getText('common.error'))
    if (validateName() && progress.ready > 0) queue.start(credit)
  }
  const retry = useCallback(
    (id?: number): void => {
      if (validateName()) queue.retry(credit, id)
    },
    [queue, credit, validateName],
  )

  const select = useCallback(
    (selected: readonly File[]): void => {
      const unknown = selected.filter((file) => !isSupported(file, limits))
      queue.add(
        selected.filter((file) => !unknown.includes(file)),
        limits,
      )
      if (unknown.length > 0) void recogniseTypes(unknown).then((recognised) => queue.add(recognised, limits))
    },
    [queue, limits],
  )
  const discardUnsent = (): void => {
    discard()
    // The pressed button is removed, so the focus moves to the next field.
    fileInput.current?.focus({ preventScroll: true })
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <div className={styles.fields}>
        <div ref={nameField}>
          <TextField
            label={t('upload.credit.label')}
            name="photoCredit"
            autoComplete="name"
            autoCapitalize="words"
            enterKeyHint="done"
            placeholder={t('upload.credit.placeholder')}
            required
            readOnly={progress.busy}
            value={name}
            error={nameError}
            onChange={({ target }) => {
              setName(target.value)
              setIsNameMissing(false)
            }}
          />
        </div>
        <UnsentNotice waitingCount={waiting.length} missingCount={missingCount} onDiscard={discardUnsent} />
        <FilePicker input={fileInput} onSelect={select} hasFiles={files.length > 0} />
        <FileList files={files} onRemove={queue.remove} onRetry={retry} fileInput={fileInput} />
      </div>
      <SendFooter
        progress={progress}
        pauseText={getPauseText(t, pauseReason, isOnline)}
        onRetryAll={() => retry()}
        onFinish={finish}
      />
      {progress.busy && <LeaveGuard />}
    </form>
  )
}
