import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createSendQueue, type SendOptions } from '../../frontends/public/src/features/upload/send-queue.ts'
import { wait } from '../../libs/api-client/src/time-limit.ts'
import { ApiError } from '../../libs/api-client/src/errors.ts'
import { sha256 } from '../sha256.ts'
import { retryUntilAvailable, send } from './call-api.ts'
import { createPageGuest, type UploadPath } from './page-guest.ts'
import { createTestEvent } from './test-event.ts'

// Simulates guests who upload photos to a running installation with the send queue of the guest page: straight to blob
// storage, or with `--forms` in forms. Then checks that no acknowledged photo is lost. Run it while services or servers
// are restarted.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    guests: { type: 'string', default: '50' },
    photos: { type: 'string', default: '20' },
    forms: { type: 'boolean', default: false },
  },
})
const api = positionals[0] ?? 'http://localhost:3001'
const guests = Number(values.guests)
const photos = Number(values.photos)

/** The hashes of the acknowledged photos. */
const acknowledged = new Set<string>()
/** How many of them were sent straight to blob storage, and in forms. */
const sentCounts: Record<UploadPath, number> = { direct: 0, form: 0 }
/** How many attempts failed, by the reason. */
const failedAttempts = new Map<string, number>()
const testEvent = await createTestEvent(api, `Test with ${guests} guests`)
const photo = await readFile(new URL('../../samples/camera-gps.jpg', import.meta.url))

const recordFailure = (error: unknown): void => {
  const reason =
    error instanceof ApiError
      ? `${error.isRetryable ? 'retryable' : 'permanent'} ${error.status} ${error.code}`
      : String(error)
  failedAttempts.set(reason, (failedAttempts.get(reason) ?? 0) + 1)
}

/** Simulates one guest. Returns the number of photos that failed permanently. */
const simulateGuest = async (number: number): Promise<number> => {
  const files = Array.from(
    { length: photos },
    // Random bytes after the end of the image make each file unique.
    (_, index) => new File([photo, randomBytes(16)], `photo-${index}.jpg`, { type: 'image/jpeg' }),
  )
  const sendOnce = createPageGuest({ api, eventId: testEvent.event._id, usesForms: values.forms })
  const sendFile = async (file: File, options: SendOptions): Promise<void> => {
    try {
      sentCounts[await sendOnce(file, options)] += 1
      acknowledged.add(sha256(await file.bytes()))
    } catch (error) {
      recordFailure(error)
      throw error
    }
  }
  const queue = createSendQueue({
    send: sendFile,
    nextFrame: (draw) => void setTimeout(draw, 100),
    wait,
    now: Date.now,
    random: Math.random,
    isOnline: () => true,
    needsPin: () => false,
  })
  queue.add(files)
  const done = new Promise<number>((resolve) => {
    queue.subscribe(() => {
      const states = queue.getState().files
      if (states.every(({ status }) => status === 'sent' || status === 'failed'))
        resolve(states.filter(({ status }) => status === 'failed').length)
    })
  })
  queue.start(`Guest ${number}`)
  return done
}

const startedAt = Date.now()
const progressTimer = setInterval(
  () => console.log(`${acknowledged.size} of ${guests * photos} acknowledged`),
  5_000,
)
const failedCount = (
  await Promise.all(Array.from({ length: guests }, (_, number) => simulateGuest(number)))
).reduce((sum, each) => sum + each, 0)
clearInterval(progressTimer)
console.log(
  `${acknowledged.size} acknowledged, ${failedCount} failed permanently, in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`,
)
console.log(`${sentCounts.direct} sent straight to blob storage, ${sentCounts.form} in forms`)
console.log('failed attempts:', Object.fromEntries(failedAttempts))

/** Whether the bytes of a file at blob storage have a hash. */
const hasHash = async (url: string, hash: string): Promise<boolean> => {
  try {
    const bytes = await retryUntilAvailable(() => send(url, {}, (response) => response.bytes()))
    return sha256(bytes) === hash
  } catch (error) {
    if (error instanceof ApiError && !error.isRetryable) return false
    throw error
  }
}

const uploads = await testEvent.listUploads()
const urls = new Map(uploads.map((upload) => [upload.sha256, upload.url]))
let lostCount = 0
for (const hash of acknowledged) {
  const url = urls.get(hash)
  if (!url || !(await hasHash(url, hash))) lostCount += 1
}
console.log(`${lostCount} of ${acknowledged.size} acknowledged photos are lost; ${uploads.length} are listed`)
const processed = await testEvent.waitForProcessing()
const readyCount = processed.filter(({ status }) => status === 'ready').length
console.log(
  `${readyCount} of ${processed.length} are ready, ${((Date.now() - startedAt) / 1_000).toFixed(0)} s after the start`,
)
process.exitCode = failedCount + lostCount > 0 || readyCount < processed.length ? 1 : 0
