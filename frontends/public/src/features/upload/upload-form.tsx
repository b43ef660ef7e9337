import { useCallback, useRef, useState, type SubmitEvent } from 'react'
import { stored } from '@confetti/api-client'
import type { GuestEvent } from '@confetti/contracts'
import { TextField } from '@confetti/ui/field'
import { notifyError } from '@confetti/ui/notify'
import { FileList } from './file-list.tsx'
import { useKeepAwake } from './keep-awake.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { Picker } from './picker.tsx'
import { progressOf } from './progress.ts'
import { SendFooter } from './send-footer.tsx'
import type { QueueState, SendQueue } from './send-queue.ts'
import styles from './upload-form.module.css'
import { useOnline } from './use-online.ts'
import { useOutcome } from './use-outcome.ts'
import { holdupText } from './words.ts'

const NAME_KEY = 'photoCredit'
const MAX_NAME_CHARACTERS = 80

interface Props {
  event: GuestEvent
  queue: SendQueue
  state: QueueState
}

/** Name, files, and one button; then how far they are. */
export const UploadForm = ({ event, queue, state: { files, holdup } }: Props) => {
  const [name, setName] = useState(() => stored.get(NAME_KEY) ?? '')
  const [nameMissing, setNameMissing] = useState(false)
  const nameField = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const online = useOnline()
  const progress = progressOf(files)
  const credit = name.trim()
  const { finish } = useOutcome({ event, queue, progress, credit })
  useKeepAwake(progress.busy)

  const named = useCallback((): boolean => {
    setNameMissing(!credit)
    if (credit) stored.set(NAME_KEY, credit)
    else nameField.current?.querySelector('input')?.focus()
    return credit !== ''
  }, [credit])

  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault()
    if (progress.busy) return
    if (progress.ready === 0) notifyError('Please select at least one file.')
    if (named() && progress.ready > 0) queue.start(credit)
  }
  const retry = useCallback(
    (id?: number): void => {
      if (named()) queue.retry(credit, id)
    },
    [queue, credit, named],
  )

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <div className={styles.fields}>
        <div ref={nameField}>
          <TextField
            label="Your Name (Photo Credit)"
            name="photoCredit"
            autoComplete="name"
            autoCapitalize="words"
            enterKeyHint="done"
            placeholder="So they know who took it"
            maxLength={MAX_NAME_CHARACTERS}
            required
            readOnly={progress.busy}
            value={name}
            error={nameMissing ? 'Photo credit name is required.' : undefined}
            onChange={({ target }) => {
              setName(target.value)
              setNameMissing(false)
            }}
          />
        </div>
        <Picker input={picker} onChoose={queue.add} more={files.length > 0} />
        <FileList files={files} onRemove={queue.remove} onRetry={retry} picker={picker} />
      </div>
      <SendFooter
        progress={progress}
        notice={holdupText(holdup, online)}
        onRetryAll={() => retry()}
        onFinish={finish}
      />
      {progress.busy && <LeaveGuard />}
    </form>
  )
}
