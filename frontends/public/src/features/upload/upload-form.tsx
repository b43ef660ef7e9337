import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type SubmitEvent,
} from 'react'
import { defaultTextLimits, isTooLong, type GuestEvent } from '@confetti/contracts'
import { useNavigate } from '@confetti/federation/router'
import { getFailureText } from '@confetti/ui/failure-text'
import { TextField } from '@confetti/ui/field'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText, useText } from '../../texts.ts'
import type { ThankYouState } from '../thank-you/thank-you.tsx'
import { FileList } from './file-list.tsx'
import { FilePicker } from './file-picker.tsx'
import { isSupported } from './file-validation.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { examineFiles } from './page-queues.ts'
import { getPauseText, getProgress, isOverQuota, type Progress, type SelectedFile } from './selected-files.ts'
import type { QueueState, SendQueue } from './send-queue.ts'
import { SendFooter, useOnline } from './sending-status.tsx'
import { readConsent, rememberConsent, rememberGuestName } from './upload-history.ts'
import { UnsentNotice, useUnsentFiles } from './unsent/use-unsent-files.tsx'
import styles from './upload-form.module.css'
import { useChoosing } from './use-choosing.ts'

/** In the chunk that the service worker stores: most events ask for no consent. */
const ConsentField = lazy(async () => ({
  default: (await import(/* webpackChunkName: 'upload-code' */ './consent-field.tsx')).ConsentField,
}))

interface ThankYouOptions {
  event: GuestEvent
  queue: SendQueue
  progress: Progress
  credit: string
  /** Whether more files may come: the page that has the open chooser is the one that gets them. */
  isChoosing: boolean
  /** Whether files that were chosen are still being examined, and not in the list. */
  isExamining: boolean
}

const summariseFailures = (files: readonly SelectedFile[]): string => {
  const messages = files.filter(({ status }) => status === 'failed').map(({ error }) => getFailureText(error))
  const [first = ''] = messages
  return messages.every((message) => message === first)
    ? first
    : getText('upload.failed.count', { count: messages.length })
}

/** Browsers limit the size of a history entry. */
const MAX_LISTED = 100

/** The files that were refused, and others that could not be sent: the first ones with the reasons. */
const getRefused = (files: readonly SelectedFile[]): Pick<ThankYouState, 'refused' | 'refusedCount'> => {
  const refused = files.filter(({ error }) => error !== undefined)
  return {
    refused: refused
      .slice(0, MAX_LISTED)
      .map(({ file, error }) => ({ name: file.name, reason: getFailureText(error) })),
    refusedCount: refused.length,
  }
}

/**
 * When sending is complete, opens the thank-you page, or shows what has failed. `openThankYouPage` opens that page, which
 * names the failed files.
 */
const useThankYouPage = ({
  event,
  queue,
  progress,
  credit,
  isChoosing,
  isExamining,
}: ThankYouOptions): { openThankYouPage: () => void } => {
  const navigate = useNavigate()
  const [isFinished, setIsFinished] = useState(false)
  const { busy, failed, ready, sent, total } = progress
  const isComplete = !busy && total > 0
  const isListFinal = ready === 0 && !isExamining
  // It is for the files that were listed then.
  if (busy && isFinished) setIsFinished(false)
  const showThankYou = isComplete && sent > 0 && isListFinal && (isFinished || (failed === 0 && !isChoosing))

  useLayoutEffect(() => {
    // Reads the files from the queue, so that the effect does not run again when the guest removes failed ones.
    const text = isComplete && summariseFailures(queue.getState().files)
    if (text) notifyError(text, getText('upload.failed.title'))
  }, [isComplete, queue])

  // Before the form can be seen: a guest who follows a link of it would be brought back. Before the thank-you page is
  // seen, the files leave the queue, and so the notice of what is being sent.
  const { _id: eventId, name: eventName, revealAt, timeZone, moderation } = event
  const hasGallery = event.gallery === 'on'
  useLayoutEffect(() => {
    if (!showThankYou) return
    notify({ message: getText('upload.success') })
    const state: ThankYouState = {
      count: sent,
      eventId,
      eventName,
      credit,
      ...getRefused(queue.getState().files),
      ...(hasGallery && { hasGallery }),
      revealAt,
      timeZone,
      moderation,
    }
    // Replaces the second history entry of this page, which the leave guard has added. So Back leads to the form.
    void navigate('/thank-you', { state, replace: true })
    return queue.clear
  }, [
    showThankYou,
    sent,
    eventId,
    eventName,
    credit,
    hasGallery,
    revealAt,
    timeZone,
    moderation,
    navigate,
    queue,
  ])

  return { openThankYouPage: () => setIsFinished(true) }
}

const { MAX_CREDIT_CHARACTERS } = defaultTextLimits

interface Props {
  event: GuestEvent
  queue: SendQueue
  state: QueueState
  /** The guest's name, as it is typed. */
  name: string
  onName: (name: string) => void
}

/** The guest's name, the file list, and the footer with the upload button or the progress. */
export const UploadForm = ({
  event,
  queue,
  state: { files, pauseReason, isConsentMissing },
  name,
  onName,
}: Props) => {
  const t = useText()
  const [isNameMissing, setIsNameMissing] = useState(false)
  const { consent } = event
  const [hasConsented, setHasConsented] = useState(() => readConsent(event._id) === consent?.version)
  const [isConsentUnticked, setIsConsentUnticked] = useState(isConsentMissing)
  const consentBox = useRef<HTMLInputElement>(null)
  const nameField = useRef<HTMLDivElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const noFilesNotice = useRef<() => void>(undefined)
  const [isChoosing, setIsChoosing] = useChoosing()
  const [examiningCount, setExaminingCount] = useState(0)
  const isExamining = examiningCount > 0
  const isOnline = useOnline()
  const progress = getProgress(files)
  const credit = name.trim()
  const isNameTooLong = isTooLong(name, MAX_CREDIT_CHARACTERS)
  const nameError = isNameMissing
    ? t('upload.credit.missing')
    : isNameTooLong
      ? t('upload.credit.tooLong', { max: MAX_CREDIT_CHARACTERS })
      : undefined
  const { openThankYouPage } = useThankYouPage({ event, queue, progress, credit, isChoosing, isExamining })
  const { limits } = event
  const { waiting, missingCount, discard } = useUnsentFiles({ eventId: event._id, queue, files, limits })

  const fileCount = files.length
  useEffect(() => {
    if (fileCount > 0) noFilesNotice.current?.()
  }, [fileCount])

  /** Shows what is missing beside the files, or remembers it for the next visit. */
  const validate = useCallback((): boolean => {
    const isNameValid = credit !== '' && !isNameTooLong
    const isUnticked = consent !== undefined && !hasConsented
    setIsNameMissing(!credit)
    setIsConsentUnticked(isUnticked)
    if (!isNameValid) nameField.current?.querySelector('input')?.focus()
    if (!isUnticked) rememberConsent(event._id, consent?.version)
    else if (isNameValid) consentBox.current?.focus()
    return isNameValid && !isUnticked
  }, [event._id, consent, hasConsented, credit, isNameTooLong])

  const submit = (submitEvent: SubmitEvent): void => {
    submitEvent.preventDefault()
    if (progress.busy) return
    const isValid = validate()
    if (isValid && progress.ready > 0) queue.start(credit)
    // Also Enter in the field of the name: failed files have buttons of their own.
    if (progress.ready > 0 || progress.total > 0 || isExamining) return
    noFilesNotice.current = notifyError(getText('upload.noFiles'), getText('common.error'))
    fileInput.current?.focus()
    fileInput.current?.click()
  }
  const retry = useCallback(
    (id?: number): void => {
      if (validate()) queue.retry(credit, id)
    },
    [queue, credit, validate],
  )

  const select = useCallback(
    (selected: readonly File[]): void => {
      const unknown = selected.filter((file) => !isSupported(file, limits))
      const known = selected.filter((file) => !unknown.includes(file))
      queue.add(known, limits)
      void examineFiles(known).then(queue.refuse)
      if (unknown.length === 0) return
      setExaminingCount((count) => count + 1)
      void examineFiles(unknown)
        .then((examined) => {
          queue.add(
            examined.map(({ file }) => file),
            limits,
          )
          queue.refuse(examined)
        })
        .finally(() => setExaminingCount((count) => count - 1))
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
              onName(target.value)
              // The page may be replaced by the form for a PIN at any time.
              rememberGuestName(target.value.trim())
              setIsNameMissing(false)
            }}
          />
        </div>
        {consent && (
          <Suspense>
            <ConsentField
              consent={consent}
              input={consentBox}
              isTicked={hasConsented}
              isMissing={isConsentUnticked && !hasConsented}
              onTick={setHasConsented}
            />
          </Suspense>
        )}
        <UnsentNotice waitingCount={waiting.length} missingCount={missingCount} onDiscard={discardUnsent} />
        <FilePicker
          input={fileInput}
          onSelect={select}
          hasFiles={fileCount > 0}
          isPreparing={isChoosing || isExamining}
          onChoosing={setIsChoosing}
        />
        <FileList files={files} onRemove={queue.remove} onRetry={retry} fileInput={fileInput} />
      </div>
      <SendFooter
        progress={progress}
        isFull={limits.remainingBytes === 0 || files.some(isOverQuota)}
        pauseText={getPauseText(t, pauseReason, isOnline)}
        onRetryAll={() => retry()}
        onFinish={openThankYouPage}
      />
      {progress.busy && <LeaveGuard />}
    </form>
  )
}
