import { expect, test } from '@jest/globals'
import { ApiError } from '@confetti/api-client'
import { addEnglishTexts } from '@confetti/i18n'
import failures from '@confetti/ui/locales/failures/en.json' with { type: 'json' }
import english from '../../../locales/guests/en.json' with { type: 'json' }
import { UnsupportedFileError } from './file-validation.ts'
import { createSendQueue, type SendOptions } from './send-queue.ts'

addEnglishTexts({ ...english, ...failures })

const photo = (name: string, size = 100): File =>
  new File([new Uint8Array(size)], name, { type: 'image/jpeg', lastModified: 1 })

const createError = (status: number, retryAfterMs?: number): ApiError =>
  new ApiError(status, { code: 'any', message: `Status ${status}.` }, retryAfterMs)
const createNetworkError = (): ApiError => createError(0)

/** Waits until all pending promises have settled. */
const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Attempt extends SendOptions {
  name: string
  succeed: () => Promise<void>
  fail: (error: Error) => Promise<void>
}

/** Creates a queue whose requests, clock and frames the test controls. */
const setup = (names: string[], { random = 1 } = {}) => {
  const attempts: Attempt[] = []
  const waits: { ms: number; finish: () => Promise<void> }[] = []
  let drawFrame: (() => void) | undefined
  let frames = 0
  let now = 1_000
  let online = true
  let asksForPin = true
  const queue = createSendQueue({
    send: (file, options) =>
      new Promise((resolve, reject) => {
        options.signal.addEventListener('abort', () => reject(options.signal.reason as Error))
        attempts.push({
          ...options,
          name: file.name,
          succeed: () => (resolve(), flushPromises()),
          fail: (error) => (reject(error), flushPromises()),
        })
      }),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve())
        waits.push({ ms, finish: () => ((now += ms), resolve(), flushPromises()) })
      }),
    now: () => now,
    random: () => random,
    isOnline: () => online,
    needsPin: () => asksForPin,
    nextFrame: (draw) => {
      frames += 1
      drawFrame = draw
    },
  })
  queue.add(names.map((name) => photo(name)))

  const getFile = (name: string) => {
    const found = queue.getState().files.find(({ file }) => file.name === name)
    if (!found) throw new Error(`${name} is not in the list.`)
    return found
  }
  const lastAttempt = (name: string): Attempt => {
    const found = attempts.findLast((attempt) => attempt.name === name)
    if (!found) throw new Error(`${name} was never sent.`)
    return found
  }
  return {
    queue,
    attempts,
    waits,
    lastAttempt,
    getStatus: (name: string) => getFile(name).status,
    getError: (name: string) => getFile(name).error,
    getId: (name: string) => getFile(name).id,
    sentNames: () => attempts.map(({ name }) => name),
    drawFrame: () => drawFrame?.(),
    requestedFrames: () => frames,
    advance: (ms: number) => (now += ms),
    setOnline: (value: boolean) => (online = value),
    enterPin: () => (asksForPin = false),
    lastWait: () => {
      const wait = waits.at(-1)
      if (!wait) throw new Error('No wait was started.')
      return wait
    },
    /** Fails attempts of a file, and ends the wait after each, until it is not retried. Returns their number, at most 50. */
    failRepeatedly: async (name: string, error: Error, { sentBytes = 0 } = {}) => {
      for (let failures = 1; failures <= 50; failures += 1) {
        const attempt = attempts.findLast((each) => each.name === name)
        attempt?.onProgress(sentBytes)
        await attempt?.fail(error)
        if (getFile(name).status !== 'queued') return failures
        await waits.at(-1)?.finish()
      }
      return 50
    },
  }
}

test('When only the answer for a file is missing, then the next one is sent, but not while the server has not answered after a failure', async () => {
  const harness = setup(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.jpg`))
  harness.queue.start('Table 4')
  harness.lastAttempt('a.jpg').onBytesSent()
  harness.lastAttempt('b.jpg').onBytesSent()
  expect(harness.sentNames()).toHaveLength(5)
  await harness.lastAttempt('a.jpg').succeed()
  expect(harness.sentNames()).toHaveLength(5)

  for (const name of ['b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'])
    await harness.lastAttempt(name).fail(createNetworkError())
  await harness.lastWait().finish()
  expect(harness.sentNames()).toHaveLength(6)
  harness.lastAttempt('f.jpg').onBytesSent()
  expect(harness.sentNames()).toHaveLength(6)
  await harness.lastAttempt('f.jpg').succeed()
  expect(harness.sentNames()).toHaveLength(9)
})

test('When the bytes of the last file have been sent, then no other file is being sent', () => {
  const { queue, lastAttempt } = setup(['a.jpg', 'b.jpg'])
  queue.start('Table 4')
  const [a, b] = [lastAttempt('a.jpg'), lastAttempt('b.jpg')]
  a.onBytesSent()
  expect(a.isOtherSending()).toBe(true)
  b.onBytesSent()
  expect([a.isOtherSending(), b.isOtherSending()]).toEqual([false, false])
})

test('When many files are sent, then at most three are in flight, in order', async () => {
  const harness = setup(['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.jpg`))
  harness.queue.start('Table 4')
  expect(harness.sentNames()).toEqual(['a.jpg', 'b.jpg', 'c.jpg'])
  await harness.lastAttempt('b.jpg').succeed()
  expect(harness.sentNames()).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
  expect(harness.getStatus('b.jpg')).toBe('sent')
  expect(harness.getStatus('e.jpg')).toBe('queued')
})

test('When a batch is sent, then all its files have the same credit and timestamp', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
  harness.queue.start('Table 4')
  harness.advance(500)
  await harness.lastAttempt('a.jpg').succeed()
  expect(harness.attempts.map(({ credit, timestamp }) => [credit, timestamp])).toEqual(
    Array(4).fill(['Table 4', 1_000]),
  )
})

test.each([400, 404, 413, 415, 500])(
  'When the server rejects a file with %i, then only that file fails, with the message of the server',
  async (status) => {
    const harness = setup(['bad.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
    harness.queue.start('Table 4')
    await harness.lastAttempt('bad.jpg').fail(createError(status))
    expect(harness.getStatus('bad.jpg')).toBe('failed')
    expect(harness.getError('bad.jpg')).toMatchObject({ message: `Status ${status}.` })
    expect(harness.getStatus('d.jpg')).toBe('sending')
    expect(harness.waits).toEqual([])
  },
)

test.each([
  [500, false],
  [501, false],
  [415, true],
])(
  'When the server responds to a file with %i, then whether it is rejected is %s',
  async (status, isRejected) => {
    const harness = setup(['a.jpg'])
    harness.queue.start('Table 4')
    await harness.lastAttempt('a.jpg').fail(createError(status))
    expect(harness.queue.getState().files).toMatchObject([{ status: 'failed', isRejected }])
  },
)

test('When a file cannot be read, then it fails at once and is not retried', async () => {
  const harness = setup(['gone.jpg'])
  harness.queue.start('Table 4')
  await harness.lastAttempt('gone.jpg').fail(new Error("This file can't be read anymore."))
  expect(harness.getStatus('gone.jpg')).toBe('failed')
  expect(harness.getError('gone.jpg')).toMatchObject({ message: "This file can't be read anymore." })
  expect(harness.waits).toEqual([])
})

test.each([0, 408, 429, 502, 503, 504])(
  'When the status is %i and no attempt makes progress, then the file is retried 19 times and fails with the reason',
  async (status) => {
    const harness = setup(['a.jpg'])
    harness.queue.start('Table 4')
    expect(await harness.failRepeatedly('a.jpg', createError(status))).toBe(20)
    expect(harness.getStatus('a.jpg')).toBe('failed')
    expect(harness.getError('a.jpg')).toMatchObject({ message: `Status ${status}.` })

    await harness.lastWait().finish()
    harness.queue.retry('Table 4')
    expect(await harness.failRepeatedly('a.jpg', createError(status))).toBe(20)
  },
)

test('When attempts send bytes but get no further, then the file fails, and Retry sends it without a wait', async () => {
  const harness = setup(['huge.jpg'])
  harness.queue.start('Table 4')
  // The first attempt got further than none.
  expect(await harness.failRepeatedly('huge.jpg', createNetworkError(), { sentBytes: 60 })).toBe(21)
  harness.queue.retry('Table 4')
  expect(harness.getStatus('huge.jpg')).toBe('sending')
})

test('When an attempt gets further than all before, or another file is sent, then the file has all its attempts again', async () => {
  const harness = setup(['huge.jpg', 'b.jpg'])
  harness.queue.start('Table 4')
  const failNineteenTimes = async (): Promise<void> => {
    for (let round = 0; round < 19; round += 1) {
      await harness.lastAttempt('huge.jpg').fail(createNetworkError())
      await harness.lastWait().finish()
    }
  }
  await failNineteenTimes()
  harness.lastAttempt('huge.jpg').onProgress(60)
  await failNineteenTimes()
  await harness.lastAttempt('b.jpg').succeed()
  expect(await harness.failRepeatedly('huge.jpg', createNetworkError())).toBe(20)
})

test('When the server asks to wait, or the device is offline, then the file is retried without limit', async () => {
  const harness = setup(['a.jpg'])
  harness.queue.start('Table 4')
  expect(await harness.failRepeatedly('a.jpg', createError(503, 2_000))).toBe(50)
  harness.setOnline(false)
  expect(await harness.failRepeatedly('a.jpg', createNetworkError())).toBe(50)
  expect(harness.getStatus('a.jpg')).toBe('sending')
})

test('When requests keep failing, then the wait doubles up to 30 seconds', async () => {
  const harness = setup(['a.jpg'])
  harness.queue.start('Table 4')
  for (let round = 0; round < 8; round += 1) {
    await harness.lastAttempt('a.jpg').fail(createNetworkError())
    await harness.lastWait().finish()
  }
  expect(harness.waits.map(({ ms }) => ms)).toEqual([1e3, 2e3, 4e3, 8e3, 16e3, 30e3, 30e3, 30e3])
})

test('When the jitter is low, then the wait is that fraction of the backoff', async () => {
  const harness = setup(['a.jpg'], { random: 0.25 })
  harness.queue.start('Table 4')
  await harness.lastAttempt('a.jpg').fail(createNetworkError())
  await harness.lastWait().finish()
  await harness.lastAttempt('a.jpg').fail(createNetworkError())
  expect(harness.waits.map(({ ms }) => ms)).toEqual([250, 500])
})

test('When the server sends Retry-After, then the wait is at least that long', async () => {
  const harness = setup(['a.jpg'], { random: 0 })
  harness.queue.start('Table 4')
  await harness.lastAttempt('a.jpg').fail(createError(503, 7_000))
  expect(harness.lastWait().ms).toBe(7_000)
  expect(harness.queue.getState().pauseReason).toBe('server-busy')
})

test('When sending is paused, then no file is sent; afterwards one is sent, and the others once it succeeds', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg', 'f.jpg'])
  harness.queue.start('Table 4')
  await harness.lastAttempt('a.jpg').fail(createError(429, 5_000))
  await harness.lastAttempt('b.jpg').fail(createError(429, 4_000))
  await harness.lastAttempt('c.jpg').fail(createError(429, 5_000))
  expect(harness.attempts).toHaveLength(3)
  expect(harness.waits).toHaveLength(1)
  await harness.lastWait().finish()
  expect(harness.sentNames().slice(3)).toEqual(['d.jpg'])
  await harness.lastAttempt('d.jpg').succeed()
  expect(harness.sentNames().slice(4)).toEqual(['e.jpg', 'f.jpg', 'a.jpg'])
})

test('When a later response has a longer Retry-After, then the pause is extended', async () => {
  const harness = setup(['a.jpg', 'b.jpg'])
  harness.queue.start('Table 4')
  await harness.lastAttempt('a.jpg').fail(createError(503, 2_000))
  await harness.lastAttempt('b.jpg').fail(createError(503, 60_000))
  expect(harness.waits.map(({ ms }) => ms)).toEqual([3_000, 61_000])
  await harness.waits[0]?.finish()
  expect(harness.attempts).toHaveLength(2)
  await harness.waits[1]?.finish()
  expect(harness.attempts).toHaveLength(3)
})

test('When a file succeeds during a pause, then a Retry-After is kept, and a pause for a lost connection ends', async () => {
  const serverBusy = setup(['a.jpg', 'b.jpg'])
  serverBusy.queue.start('Table 4')
  await serverBusy.lastAttempt('a.jpg').fail(createError(503, 9_000))
  await serverBusy.lastAttempt('b.jpg').succeed()
  expect(serverBusy.attempts).toHaveLength(2)

  const connectionLost = setup(['a.jpg', 'b.jpg'])
  connectionLost.queue.start('Table 4')
  await connectionLost.lastAttempt('a.jpg').fail(createNetworkError())
  await connectionLost.lastAttempt('b.jpg').succeed()
  expect(connectionLost.sentNames()).toEqual(['a.jpg', 'b.jpg', 'a.jpg'])
})

test('When three files fail at the same time, then it counts as one failure', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg'])
  harness.queue.start('Table 4')
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await harness.lastAttempt(name).fail(createNetworkError())
  await harness.lastWait().finish()
  await harness.lastAttempt('a.jpg').fail(createNetworkError())
  expect(harness.waits.map(({ ms }) => ms)).toEqual([1_000, 2_000])
})

test('When the queue is resumed, then all files are sent at once, unless the server sent Retry-After', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg'])
  harness.queue.start('Table 4')
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await harness.lastAttempt(name).fail(createNetworkError())
  expect(harness.queue.getState().pauseReason).toBe('connection-lost')
  harness.queue.resume()
  expect(harness.attempts).toHaveLength(6)
  expect(harness.queue.getState().pauseReason).toBeUndefined()

  await harness.lastAttempt('a.jpg').fail(createError(429, 5_000))
  harness.queue.resume()
  expect(harness.attempts).toHaveLength(6)
})

test('When one file always fails, then the others are still sent', async () => {
  const harness = setup(['always-fails.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'])
  harness.queue.start('Table 4')
  for (let round = 0; round < 30; round += 1) {
    const sending = harness.queue.getState().files.filter(({ status }) => status === 'sending')
    for (const { file } of sending)
      if (file.name === 'always-fails.jpg') await harness.lastAttempt(file.name).fail(createNetworkError())
      else await harness.lastAttempt(file.name).succeed()
    await harness.waits.at(-1)?.finish()
  }
  const statuses = harness.queue.getState().files.map(({ status }) => status)
  expect(statuses).toEqual(['failed', 'sent', 'sent', 'sent', 'sent'])
})

test('When the event closes while files are being sent, then each goes on, and those that follow learn that they need a ticket', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'])
  harness.queue.start('Table 4')
  const closed = createError(410)
  await harness.lastAttempt('b.jpg').fail(closed)
  expect(harness.queue.getState().closedError).toBe(closed)
  expect(harness.lastAttempt('a.jpg').signal.aborted).toBe(false)
  expect(harness.lastAttempt('a.jpg').closedError).toBeUndefined()
  expect(harness.lastAttempt('d.jpg').closedError).toBe(closed)
  await harness.lastAttempt('d.jpg').fail(closed)
  await harness.lastAttempt('e.jpg').fail(closed)
  await harness.lastAttempt('a.jpg').succeed()
  // It has a ticket: a failure of the network is none of the event.
  await harness.lastAttempt('c.jpg').fail(createNetworkError())
  await harness.lastWait().finish()
  await harness.lastAttempt('c.jpg').succeed()
  expect(harness.queue.getState().files.map(({ status }) => status)).toEqual([
    'sent',
    'failed',
    'sent',
    'failed',
    'failed',
  ])
  expect(harness.queue.isSending()).toBe(false)
})

test('When the event is closed for files whose bytes have been sent, then those that follow are not sent', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'])
  harness.queue.start('Table 4')
  harness.lastAttempt('a.jpg').onBytesSent()
  await harness.lastAttempt('a.jpg').fail(createError(410))
  expect(harness.sentNames()).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
  expect(harness.getStatus('e.jpg')).toBe('failed')
  await harness.lastAttempt('b.jpg').succeed()
  expect(harness.getStatus('b.jpg')).toBe('sent')
})

test('When the event is closed after a file has been sent whose answer was lost, then the server is asked for that file again', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
  harness.queue.start('Table 4')
  harness.lastAttempt('a.jpg').onProgress(100, 100)
  await harness.lastAttempt('a.jpg').fail(createNetworkError())
  harness.lastAttempt('b.jpg').onBytesSent()
  await harness.lastAttempt('b.jpg').fail(createError(410))
  await harness.lastAttempt('c.jpg').succeed()
  expect(harness.getStatus('d.jpg')).toBe('failed')
  expect(harness.lastAttempt('a.jpg').closedError).toMatchObject({ status: 410 })
  await harness.lastAttempt('a.jpg').succeed()
  expect(harness.getStatus('a.jpg')).toBe('sent')
})

test('When one failed file is retried, then only that file is sent; without an id, all that the server has not refused', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg'])
  harness.queue.start('Table 4')
  await harness.lastAttempt('a.jpg').fail(createError(500))
  await harness.lastAttempt('b.jpg').fail(createError(500))
  await harness.lastAttempt('c.jpg').fail(createError(415))
  harness.queue.retry('Table 5', harness.getId('b.jpg'))
  expect(harness.sentNames().slice(3)).toEqual(['b.jpg'])
  expect(harness.lastAttempt('b.jpg').credit).toBe('Table 5')
  await harness.lastAttempt('b.jpg').fail(createError(500))
  harness.queue.retry('Table 5')
  expect(harness.sentNames().slice(4)).toEqual(['a.jpg', 'b.jpg'])
})

test('When files are added several times, then each is listed once, and an invalid one has a message', () => {
  const harness = setup(['a.jpg'])
  harness.queue.add([photo('a.jpg'), photo('b.jpg'), new File(['x'], 'notes.txt', { type: 'text/plain' })])
  harness.queue.add([photo('b.jpg'), photo('b.jpg', 101)])
  expect(harness.queue.getState().files.map(({ file, status }) => [file.name, status])).toEqual([
    ['a.jpg', 'ready'],
    ['b.jpg', 'ready'],
    ['notes.txt', 'invalid'],
    ['b.jpg', 'ready'],
  ])
  expect(harness.getError('notes.txt')).toMatchObject({ message: "This file type isn't supported." })
  harness.queue.start('Table 4')
  expect(harness.sentNames()).toEqual(['a.jpg', 'b.jpg', 'b.jpg'])
})

test('When files are added while others are being sent, then they are queued', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg'])
  harness.queue.start('Table 4')
  harness.queue.add([photo('d.jpg')])
  expect(harness.getStatus('d.jpg')).toBe('queued')
  await harness.lastAttempt('a.jpg').succeed()
  expect(harness.getStatus('d.jpg')).toBe('sending')
})

test('When the server asks for consent, then what was not sent is ready again, and is sent with the next start', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'])
  harness.queue.start('Table 4')
  await harness.lastAttempt('a.jpg').fail(new ApiError(400, { code: 'consent_required', message: 'Agree.' }))
  expect(['a.jpg', 'd.jpg', 'e.jpg'].map(harness.getStatus)).toEqual(['ready', 'ready', 'ready'])
  expect(harness.queue.getState().isConsentMissing).toBe(true)
  // A file that has a ticket is completed.
  await harness.lastAttempt('b.jpg').succeed()
  await harness.lastAttempt('c.jpg').succeed()
  expect(harness.queue.isSending()).toBe(false)
  harness.queue.start('Table 4')
  expect(harness.queue.getState().isConsentMissing).toBe(false)
  expect(['a.jpg', 'd.jpg', 'e.jpg'].map(harness.getStatus)).toEqual(['sending', 'sending', 'sending'])
})

test('When the event asks for its PIN, then what was not sent waits, and goes on when there is a pass', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
  harness.queue.start('Table 4')
  const refusal = new ApiError(404, { code: 'pin_required', message: 'Please enter the PIN.' })
  await harness.lastAttempt('a.jpg').fail(refusal)
  // A file that has a ticket is completed.
  await harness.lastAttempt('b.jpg').succeed()
  await harness.lastAttempt('c.jpg').fail(refusal)
  expect(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map(harness.getStatus)).toEqual([
    'queued',
    'sent',
    'queued',
    'queued',
  ])
  expect(harness.attempts).toHaveLength(3)
  expect(harness.waits).toEqual([])
  expect(harness.queue.isSending()).toBe(true)
  harness.queue.resume()
  expect(['a.jpg', 'c.jpg', 'd.jpg'].map(harness.getStatus)).toEqual(['sending', 'sending', 'sending'])
})

test('When the guest enters the PIN before a call without a pass is refused, then its file is sent again at once', async () => {
  const harness = setup(['a.jpg', 'b.jpg'])
  harness.queue.start('Table 4')
  const refusal = new ApiError(404, { code: 'pin_required', message: 'Please enter the PIN.' })
  await harness.lastAttempt('a.jpg').fail(refusal)
  harness.enterPin()
  harness.queue.resume()
  await harness.lastAttempt('b.jpg').fail(refusal)
  expect(harness.sentNames()).toEqual(['a.jpg', 'b.jpg', 'a.jpg', 'b.jpg'])
})

test('When files are added while others are being sent, then those that wait for Upload are not sent with them', () => {
  const harness = setup([])
  const restore = (name: string, credit?: string) => ({ file: photo(name), credit, rejection: undefined })
  harness.queue.restore([restore('shared.jpg'), restore('of another guest.jpg', 'Table 5')])
  harness.queue.restore([restore('a.jpg', 'Table 5'), restore('b.jpg', 'Table 6')])
  harness.queue.add([photo('c.jpg'), photo('shared.jpg')])
  expect(harness.sentNames()).toEqual(['of another guest.jpg', 'a.jpg', 'c.jpg'])
  expect(['shared.jpg', 'b.jpg'].map(harness.getStatus)).toEqual(['ready', 'ready'])
})

test('When a failed file is selected again while others are being sent, then it is queued', async () => {
  const harness = setup(['a.jpg', 'b.jpg'])
  harness.queue.start('Table 4')
  await harness.lastAttempt('a.jpg').fail(new Error("This file can't be read anymore."))
  harness.queue.add([photo('a.jpg')])
  expect(harness.getStatus('a.jpg')).toBe('sending')
})

test('When a failed file is selected again, then it is ready', async () => {
  const harness = setup(['a.jpg'])
  harness.queue.start('Table 4')
  await harness.lastAttempt('a.jpg').fail(new Error("This file can't be read anymore."))
  harness.queue.add([photo('a.jpg')])
  expect(harness.getStatus('a.jpg')).toBe('ready')
  expect(harness.getError('a.jpg')).toBeUndefined()
  expect(harness.queue.getState().files).toHaveLength(1)
})

test('When a file is removed, then it is gone, unless it was sent', async () => {
  const harness = setup(['ready.jpg', 'sent.jpg'])
  harness.queue.remove(harness.getId('ready.jpg'))
  harness.queue.start('Table 4')
  await harness.lastAttempt('sent.jpg').succeed()
  harness.queue.remove(harness.getId('sent.jpg'))
  expect(harness.queue.getState().files.map(({ file }) => file.name)).toEqual(['sent.jpg'])
})

test('When a file is removed while it is queued or being sent, then it is cancelled, and the next one is sent', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'])
  harness.queue.start('Table 4')
  harness.queue.remove(harness.getId('d.jpg'))
  harness.queue.remove(harness.getId('a.jpg'))
  await flushPromises()
  expect(harness.lastAttempt('a.jpg').signal.aborted).toBe(true)
  expect(harness.sentNames()).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'e.jpg'])
  expect(harness.queue.getState().files.map(({ file }) => file.name)).toEqual(['b.jpg', 'c.jpg', 'e.jpg'])
})

test('When the file that is removed waits to be sent again, then the others are sent', async () => {
  const harness = setup(['huge.jpg', 'b.jpg'])
  harness.queue.start('Table 4')
  await harness.lastAttempt('huge.jpg').fail(createNetworkError())
  await harness.lastAttempt('b.jpg').fail(createNetworkError())
  harness.queue.remove(harness.getId('huge.jpg'))
  await harness.lastWait().finish()
  expect(harness.sentNames()).toEqual(['huge.jpg', 'b.jpg', 'b.jpg'])
  await harness.lastAttempt('b.jpg').succeed()
  expect(harness.queue.getState().files.map(({ status }) => status)).toEqual(['sent'])
})

test('When progress events are frequent, then subscribers are called once per frame', () => {
  const harness = setup(['a.jpg', 'b.jpg'])
  harness.queue.start('Table 4')
  let updates = 0
  harness.queue.subscribe(() => (updates += 1))
  for (let bytes = 1; bytes <= 50; bytes += 1) {
    harness.lastAttempt('a.jpg').onProgress(bytes)
    harness.lastAttempt('b.jpg').onProgress(bytes)
  }
  expect(updates).toBe(0)
  expect(harness.requestedFrames()).toBe(1)
  harness.drawFrame()
  expect(updates).toBe(1)
  expect(harness.queue.getState().files.map(({ sentBytes }) => sentBytes)).toEqual([50, 50])
})

test('When a progress event arrives after the failure of its attempt, then it is ignored', async () => {
  const harness = setup(['a.jpg'])
  harness.queue.start('Table 4')
  const first = harness.lastAttempt('a.jpg')
  await first.fail(createNetworkError())
  first.onProgress(80)
  harness.drawFrame()
  expect(harness.queue.getState().files[0]?.sentBytes).toBe(0)
})

test('When the queue is cleared while a file is being sent, then nothing happens', async () => {
  const harness = setup(['a.jpg'])
  harness.queue.start('Table 4')
  harness.queue.clear()
  expect(harness.queue.getState().files).toHaveLength(1)
  await harness.lastAttempt('a.jpg').succeed()
  harness.queue.clear()
  expect(harness.queue.getState().files).toEqual([])
})

test('When an earlier visit has left files, then those whose sending had begun are sent under their name, and others wait', () => {
  const harness = setup([])
  const rejection = { status: 415, code: 'unsupported', message: 'This is no photo.' }
  const restore = (name: string, credit?: string) => ({ file: photo(name), credit, rejection: undefined })
  harness.queue.restore([
    restore('chosen.jpg'),
    { file: photo('refused.jpg'), credit: 'Table 4', rejection },
    restore('a.jpg', 'Table 4'),
    restore('b.jpg', 'Table 5'),
  ])
  expect(harness.attempts.map(({ name, credit }) => [name, credit])).toEqual([['a.jpg', 'Table 4']])
  expect(harness.getError('refused.jpg')).toMatchObject({ message: 'This is no photo.' })

  harness.queue.restore([restore('c.jpg', 'Table 4'), restore('d.jpg', 'Table 5')])
  expect(harness.sentNames()).toEqual(['a.jpg', 'c.jpg'])
  expect(['chosen.jpg', 'b.jpg', 'd.jpg'].map(harness.getStatus)).toEqual(['ready', 'ready', 'ready'])
})

test('When a file turns out to be of an unsupported type before it is sent, then it is invalid, and others are sent', async () => {
  const harness = setup(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'])
  const error = new UnsupportedFileError(() => 'This is an AVIF.')
  const refuse = (name: string): void => {
    const selected = harness.queue.getState().files.map(({ file }) => file)
    harness.queue.refuse(selected.map((file) => (file.name === name ? { file, error } : { file })))
  }
  refuse('a.jpg')
  harness.queue.start('Table 4')
  expect(harness.sentNames()).toEqual(['b.jpg', 'c.jpg', 'd.jpg'])
  // Too late for one that is being sent: its request knows.
  refuse('b.jpg')
  refuse('e.jpg')
  await harness.lastAttempt('b.jpg').fail(error)
  await harness.lastAttempt('c.jpg').succeed()
  await harness.lastAttempt('d.jpg').succeed()
  expect(harness.sentNames()).toEqual(['b.jpg', 'c.jpg', 'd.jpg'])
  expect(['a.jpg', 'b.jpg', 'e.jpg'].map(harness.getStatus)).toEqual(['invalid', 'invalid', 'invalid'])
  expect(harness.getError('b.jpg')).toBe(error)
  expect(harness.queue.isSending()).toBe(false)
  harness.queue.retry('Table 4')
  expect(harness.attempts).toHaveLength(3)
})
