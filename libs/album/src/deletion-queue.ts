import { isolateName, type Upload } from '@confetti/contracts'
import { getFormatLocale, getLocale } from '@confetti/i18n'
import { getFailureText } from '@confetti/ui/failure-text'
import { notifyError } from '@confetti/ui/notify'
import { getText } from './texts.ts'
import { isUploadNotFound } from './upload-not-found.ts'

/** How many are deleted at once, so that deleting hundreds does not hold up other calls. */
const MAX_AT_ONCE = 4
/** How many names a notice has. */
const MAX_NAMES = 5

type Named = Pick<Upload, '_id' | 'originalName'>

export interface FailedDeletion {
  upload: Named
  error: unknown
}

interface Options {
  /** The page is being left: nothing waits for another. */
  keepalive: boolean
}

interface Deps {
  /** One that does not exist any more counts as deleted. */
  remove: (id: string, options: Options) => Promise<unknown>
  onDeleted: (id: string) => void
  onFailed: (failure: FailedDeletion) => void
  /** Called when none is left to be deleted. */
  onDone: (deletedCount: number, failures: readonly FailedDeletion[]) => void
}

/** Creates a function that deletes uploads, a few at a time. It goes on with the others if one fails. */
export const createDeletionQueue = ({ remove, onDeleted, onFailed, onDone }: Deps) => {
  const waiting: Named[] = []
  let runningCount = 0
  let deletedCount = 0
  let failures: FailedDeletion[] = []

  const run = async (upload: Named, options: Options): Promise<void> => {
    runningCount += 1
    try {
      await remove(upload._id, options).catch((error: unknown) => {
        if (!isUploadNotFound(error)) throw error
      })
      deletedCount += 1
      onDeleted(upload._id)
    } catch (error) {
      failures.push({ upload, error })
      onFailed({ upload, error })
    }
    runningCount -= 1
    startNext()
    if (runningCount > 0) return
    onDone(deletedCount, failures)
    deletedCount = 0
    failures = []
  }

  const startNext = (): void => {
    const upload = runningCount < MAX_AT_ONCE ? waiting.shift() : undefined
    if (upload) void run(upload, { keepalive: false })
  }

  return (uploads: readonly Named[], { keepalive }: Options = { keepalive: false }): void => {
    for (const upload of uploads) {
      if (keepalive) void run(upload, { keepalive })
      else {
        waiting.push(upload)
        startNext()
      }
    }
  }
}

/** Says how many uploads could not be deleted, and which and why. */
export const notifyFailedDeletions = (failures: readonly FailedDeletion[]): void => {
  const [first] = failures
  if (!first) return
  const names = failures
    .slice(0, MAX_NAMES)
    .map(({ upload }) => isolateName(getLocale(), upload.originalName))
  const list = new Intl.ListFormat(getFormatLocale(), { type: 'unit' }).format([
    ...names,
    ...(failures.length > MAX_NAMES ? ['…'] : []),
  ])
  notifyError(
    getFailureText(first.error),
    getText('album.delete.failed', { count: failures.length, names: list }),
  )
}
