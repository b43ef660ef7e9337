import { ApiError, messageOf } from '@confetti/api-client'
import { withAdded, withChange, type ChosenFile } from './chosen-file.ts'
import { makeFrameStore } from './frame-store.ts'
import { makePace, type Holdup, type PaceDeps } from './pace.ts'

export interface QueueState {
  readonly files: readonly ChosenFile[]
  readonly holdup: Holdup
  /** Set when the server takes nothing more for this event: what it said. */
  readonly closed: string | undefined
}

export interface Sending {
  credit: string
  /** One for all files of a run. */
  stamp: number
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
}

export interface Deps extends Omit<PaceDeps, 'goOn'> {
  /** Resolves when the file has arrived; rejects with an `ApiError`, or any error that trying again would not mend. */
  send: (file: File, sending: Sending) => Promise<void>
  /** Calls back when the screen is drawn next. */
  nextFrame: (draw: () => void) => void
}

const CLOSED = 410

/**
 * Files on their way to one event, each by itself. What may pass (no answer, a busy server) is tried again for as
 * long as the page is open; what is refused fails alone.
 */
export const makeSendQueue = ({ send, nextFrame, ...paceDeps }: Deps) => {
  let files: readonly ChosenFile[] = []
  let line: readonly number[] = []
  const underWay = new Map<number, AbortController>()
  let run = { credit: '', stamp: 0 }
  let closed: string | undefined

  const pace = makePace({ ...paceDeps, goOn: () => goOn() })
  const store = makeFrameStore((): QueueState => ({ files, holdup: pace.holdup(), closed }), nextFrame)

  const change = (id: number, to: Partial<ChosenFile>): void => {
    files = withChange(files, id, to)
  }

  const close = (message: string): void => {
    closed = message
    line = []
    pace.reset()
    for (const controller of underWay.values()) controller.abort(new Error(message))
    files = files.map((file) =>
      file.status === 'sent' || file.status === 'unfit' ? file : { ...file, status: 'failed', message },
    )
  }

  const fail = (id: number, error: unknown): void => {
    if (closed !== undefined) return
    const message = messageOf(error)
    if (error instanceof ApiError && error.passing) {
      change(id, { status: 'waiting', sentBytes: 0, message })
      // To the end of the line: one that never gets through must not keep the others waiting.
      line = [...line, id]
      pace.failed(error)
      return
    }
    change(id, { status: 'failed', sentBytes: 0, message })
    if (error instanceof ApiError) pace.answered()
    if (error instanceof ApiError && error.status === CLOSED) close(message)
  }

  const attempt = async (id: number, file: File): Promise<void> => {
    const controller = new AbortController()
    underWay.set(id, controller)
    change(id, { status: 'sending', sentBytes: 0, message: undefined })
    const onProgress = (sentBytes: number): void => {
      if (underWay.get(id) !== controller) return
      change(id, { sentBytes: Math.min(sentBytes, file.size) })
      store.publishSoon()
    }
    try {
      await send(file, { ...run, signal: controller.signal, onProgress })
      change(id, { status: 'sent', sentBytes: file.size, message: undefined })
      pace.answered()
    } catch (error) {
      fail(id, error)
    } finally {
      underWay.delete(id)
      goOn()
    }
  }

  const goOn = (): void => {
    while (underWay.size < pace.atOnce()) {
      const [id, ...others] = line
      const next = files.find((file) => file.id === id)
      if (!next) break
      line = others
      void attempt(next.id, next.file)
    }
    store.publish()
  }

  const lineUp = (fits: (file: ChosenFile) => boolean): void => {
    const chosen = new Set(files.filter(fits).map(({ id }) => id))
    line = [...line, ...chosen]
    for (const id of chosen) change(id, { status: 'waiting', message: undefined })
    goOn()
  }

  const isRemovable = ({ status }: ChosenFile): boolean =>
    status === 'ready' || status === 'unfit' || status === 'failed'
  const isReady = ({ status }: ChosenFile): boolean => status === 'ready'
  const isBusy = (): boolean => line.length > 0 || underWay.size > 0
  const begin = (credit: string): void => {
    if (!isBusy()) run = { credit, stamp: paceDeps.now() }
  }

  return {
    state: store.state,
    subscribe: store.subscribe,
    wake: pace.wake,

    /** Adds files. While others are being sent, these join the line. */
    add: (chosen: readonly File[]): void => {
      files = withAdded(files, chosen)
      if (isBusy()) lineUp(isReady)
      else store.publish()
    },

    /** Takes a file out that is not on its way: it has not set out, or has failed. */
    remove: (id: number): void => {
      files = files.filter((file) => file.id !== id || !isRemovable(file))
      store.publish()
    },

    /** Sends what is ready. */
    start: (credit: string): void => {
      begin(credit)
      lineUp(isReady)
    },

    /** Sends what has failed once more: one file, or all. */
    retry: (credit: string, id?: number): void => {
      begin(credit)
      lineUp((file) => file.status === 'failed' && (id === undefined || file.id === id))
    },

    /** Forgets the files, when none is under way any more. */
    clear: (): void => {
      if (isBusy()) return
      files = []
      closed = undefined
      pace.reset()
      store.publish()
    },
  }
}

export type SendQueue = ReturnType<typeof makeSendQueue>
