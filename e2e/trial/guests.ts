import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Upload } from '@confetti/contracts'
import { makeSendQueue } from '../../frontends/public/src/features/upload/send-queue.ts'
import { errorFrom, noAnswer } from '../../libs/api-client/src/errors.ts'
import { sha256 } from '../sha256.ts'
import { openTrial } from './installation.ts'

// Guests who send photos to an installation, by the very queue that runs on their phones, and then the proof that
// nothing which was acknowledged to them is lost. Meant to run while something is restarted.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { guests: { type: 'string', default: '50' }, photos: { type: 'string', default: '20' } },
})
const api = positionals[0] ?? 'http://localhost:3001'
const guests = Number(values.guests)
const photos = Number(values.photos)

const acknowledged = new Map<string, string>()
const passing = new Map<string, number>()
const trial = await openTrial(api, `Trial with ${guests} guests`)
const photo = await readFile(new URL('../../samples/camera-gps.jpg', import.meta.url))

const send = async (file: File, credit: string, signal: AbortSignal): Promise<void> => {
  const form = new FormData()
  form.set('eventId', trial.event._id)
  form.set('photoCredit', credit)
  form.set('media', file, file.name)
  const response = await fetch(`${api}/api/uploads`, { method: 'POST', body: form, signal }).catch(
    () => undefined,
  )
  const text = await response?.text().catch(() => undefined)
  if (!response || text === undefined || response.status !== 201) {
    const error =
      response && text !== undefined
        ? errorFrom(response.status, text, response.headers.get('Retry-After'))
        : noAnswer()
    const kind = error.passing ? `${error.status} ${error.code}` : `final ${error.status} ${error.code}`
    passing.set(kind, (passing.get(kind) ?? 0) + 1)
    throw error
  }
  const [upload] = (JSON.parse(text) as { uploads: Upload[] }).uploads
  if (upload) acknowledged.set(upload._id, upload.sha256)
}

/** One guest, from the first photo to the last; resolves with how many failed for good. */
const guest = async (number: number): Promise<number> => {
  const files = Array.from(
    { length: photos },
    // Random bytes behind the picture's end make each a file of its own.
    (_, index) => new File([photo, randomBytes(16)], `photo-${index}.jpg`, { type: 'image/jpeg' }),
  )
  const queue = makeSendQueue({
    send: (file, { credit, signal }) => send(file, credit, signal),
    nextFrame: (draw) => void setTimeout(draw, 100),
    wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    now: Date.now,
    random: Math.random,
  })
  queue.add(files)
  const done = new Promise<number>((resolve) => {
    queue.subscribe(() => {
      const all = queue.state().files
      if (all.every(({ status }) => status === 'sent' || status === 'failed'))
        resolve(all.filter(({ status }) => status === 'failed').length)
    })
  })
  queue.start(`Guest ${number}`)
  return done
}

const began = Date.now()
const progress = setInterval(
  () => console.log(`${acknowledged.size} of ${guests * photos} acknowledged`),
  5_000,
)
const failed = (await Promise.all(Array.from({ length: guests }, (_, number) => guest(number)))).reduce(
  (sum, each) => sum + each,
  0,
)
clearInterval(progress)
console.log(
  `${acknowledged.size} acknowledged, ${failed} failed for good, in ${((Date.now() - began) / 1_000).toFixed(1)} s`,
)
console.log('sent again after:', Object.fromEntries(passing))

const listed = new Map((await trial.listUploads()).map((upload) => [upload._id, upload]))
let lost = 0
for (const [id, hash] of acknowledged) {
  const url = listed.get(id)?.url
  const response = url ? await fetch(url) : undefined
  if (!response?.ok || sha256(new Uint8Array(await response.arrayBuffer())) !== hash) lost += 1
}
console.log(`${lost} of ${acknowledged.size} acknowledged are lost; ${listed.size} listed`)
const processed = await trial.whenProcessed()
const ready = processed.filter(({ status }) => status === 'ready').length
console.log(
  `${ready} of ${processed.length} have their pictures, ${((Date.now() - began) / 1_000).toFixed(0)} s after the first was sent`,
)
process.exitCode = failed + lost > 0 || ready < processed.length ? 1 : 0
