import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Upload } from '@confetti/contracts'
import { createSendQueue } from '../../frontends/public/src/features/upload/send-queue.ts'
import { toApiError, createNetworkError } from '../../libs/api-client/src/errors.ts'
import { sha256 } from '../sha256.ts'
import { createTestEvent } from './test-event.ts'

// Simulates guests who upload photos to a running installation with the send queue of the guest page. Then checks that
// no acknowledged photo is lost. Run it while services or servers are restarted.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { guests: { type: 'string', default: '50' }, photos: { type: 'string', default: '20' } },
})
const api = positionals[0] ?? 'http://localhost:3001'
const guests = Number(values.guests)
const photos = Number(values.photos)

/** The hashes of acknowledged uploads by their ids. */
const acknowledged = new Map<string, string>()
/** How many attempts failed, by the reason. */
const failedAttempts = new Map<string, number>()
const testEvent = await createTestEvent(api, `Test with ${guests} guests`)
const photo = await readFile(new URL('../../samples/camera-gps.jpg', import.meta.url))

const sendFile = async (file: File, credit: string, signal: AbortSignal): Promise<void> => {
  const form = new FormData()
  form.set('eventId', testEvent.event._id)
  form.set('photoCredit', credit)
  form.set('media', file, file.name)
  const response = await fetch(`${api}/api/uploads`, { method: 'POST', body: form, signal }).catch(
    () => undefined,
  )
  const text = await response?.text().catch(() => undefined)
  if (!response || text === undefined || response.status !== 201) {
    const error =
      response && text !== undefined
        ? toApiError(response.status, text, response.headers.get('Retry-After'))
        : createNetworkError()
    const reason = `${error.isRetryable ? 'retryable' : 'permanent'} ${error.status} ${error.code}`
    failedAttempts.set(reason, (failedAttempts.get(reason) ?? 0) + 1)
    throw error
  }
  const [upload] = (JSON.parse(text) as { uploads: Upload[] }).uploads
  if (upload) acknowledged.set(upload._id, upload.sha256)
}

/** Simulates one guest. Returns the number of photos that failed permanently. */
const simulateGuest = async (number: number): Promise<number> => {
  const files = Array.from(
    { length: photos },
    // Random bytes after the end of the image make each file unique.
    (_, index) => new File([photo, randomBytes(16)], `photo-${index}.jpg`, { type: 'image/jpeg' }),
  )
  const queue = createSendQueue({
    send: (file, { credit, signal }) => sendFile(file, credit, signal),
    nextFrame: (draw) => void setTimeout(draw, 100),
    wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    now: Date.now,
    random: Math.random,
    isOnline: () => true,
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
console.log('failed attempts:', Object.fromEntries(failedAttempts))

const listed = new Map((await testEvent.listUploads()).map((upload) => [upload._id, upload]))
let lostCount = 0
for (const [id, hash] of acknowledged) {
  const url = listed.get(id)?.url
  const response = url ? await fetch(url) : undefined
  if (!response?.ok || sha256(new Uint8Array(await response.arrayBuffer())) !== hash) lostCount += 1
}
console.log(`${lostCount} of ${acknowledged.size} acknowledged photos are lost; ${listed.size} are listed`)
const processed = await testEvent.waitForProcessing()
const readyCount = processed.filter(({ status }) => status === 'ready').length
console.log(
  `${readyCount} of ${processed.length} are ready, ${((Date.now() - startedAt) / 1_000).toFixed(0)} s after the start`,
)
process.exitCode = failedCount + lostCount > 0 || readyCount < processed.length ? 1 : 0
