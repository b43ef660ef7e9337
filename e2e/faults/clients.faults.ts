import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sha256 } from '../sha256.ts'
import { listUploads } from '../stand.ts'
import { begunBy } from './begun.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto, newVideo, type GuestFile } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'
import { connectRawSender, type RawSender } from './raw-sender.ts'
import { whenMemoryIsGivenBack, whenSwept } from './stored-blobs.ts'

// In production it is 60 s.
const IDLE_TIMEOUT_MS = 5_000
const BYSTANDERS = 10

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({
    replicas: { uploads: 2 },
    environment: {
      gateway: { IDLE_TIMEOUT_MS: String(IDLE_TIMEOUT_MS) },
      uploads: {
        IDLE_TIMEOUT_MS: String(1.5 * IDLE_TIMEOUT_MS),
        LONGEST_UPLOAD_MS: '20000',
        LEFTOVER_AGE_MS: '30000',
        SWEEP_INTERVAL_MS: '3000',
      },
    },
  })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

const badLine = ({ event, ledger }: Scene, file: GuestFile, credit = 'A bad line'): Promise<RawSender> => {
  ledger.noteSent({ eventId: event._id, credit, sha256: file.sha256 })
  return connectRawSender({ api: stand.api, eventId: event._id, credit, file })
}

const expectOthersAreServed = async ({ guest }: Scene): Promise<void> => {
  const guests = Array.from({ length: BYSTANDERS }, () => guest(undefined, { hangMs: 20_000 }))
  const seen = await Promise.all(guests.map(async ({ send }) => send(await newPhoto())))
  for (const each of seen) expect(each).toMatchObject({ status: 201 })
}

const expectNothingElse = async ({ event, ledger }: Scene): Promise<void> => {
  await whenMemoryIsGivenBack(stand)
  expect(await listUploads(stand, event._id)).toHaveLength(ledger.count())
  await whenSwept(stand)
}

test.each([0, 50, 99])('When clients go away after %d %% of a file, then nothing of it is left', (percent) =>
  play(stand, async (scene) => {
    const files = [await newVideo(12), await newVideo(3), await newPhoto(), await newPhoto()]
    const replicas = stand.system.replicas('uploads')
    const before = await begunBy(replicas)
    const senders = await Promise.all(files.map((file) => badLine(scene, file)))
    await Promise.all(senders.map(({ sendUpTo }) => sendUpTo(percent / 100)))
    const allBegun = async () => (await begunBy(replicas)) === before + files.length
    await eventually(allBegun, 'the uploads service beginning with each')
    for (const { cut } of senders) cut()
    await expectOthersAreServed(scene)
    await expectNothingElse(scene)
  }),
)

test('When clients stall in the middle of a file, then they are told so, and others are served meanwhile', () =>
  play(stand, async (scene) => {
    const files = await Promise.all(Array.from({ length: 30 }, () => newPhoto()))
    const senders = await Promise.all([await newVideo(12), ...files].map((file) => badLine(scene, file)))
    await Promise.all(senders.map(({ sendUpTo }) => sendUpTo(0.5)))
    await expectOthersAreServed(scene)
    const seen = await Promise.all(senders.map(({ answer }) => answer()))
    for (const each of seen) {
      scene.saw(each)
      expect(each).toMatchObject({
        status: 408,
        message: 'Your files stopped arriving. Please check the connection and try again.',
      })
    }
    await expectNothingElse(scene)
  }))

test('When clients send a byte a second, then they are told so, and others are served meanwhile', () =>
  play(stand, async (scene) => {
    const files = await Promise.all(Array.from({ length: 30 }, () => newPhoto()))
    const senders = await Promise.all(files.map((file) => badLine(scene, file)))
    const allTold = new AbortController()
    const dawdling = (async () => {
      while (!allTold.signal.aborted) {
        for (const { sendMore } of senders) await sendMore(1)
        await sleep(1_000)
      }
    })()
    await expectOthersAreServed(scene)
    const seen = await Promise.all(senders.map(({ answer }) => answer())).finally(() => allTold.abort())
    await dawdling
    for (const each of seen) {
      scene.saw(each)
      expect(each).toMatchObject({
        status: 408,
        message: 'Your files are arriving too slowly. Please check the connection and try again.',
      })
    }
    expect(await listUploads(stand, scene.event._id)).toHaveLength(BYSTANDERS)
    await scene.guest('A bad line').sendUntilKept(files[0] ?? (await newPhoto()))
    await expectNothingElse(scene)
  }))

test.each([
  { words: 'at once', whenHad: false },
  { words: 'when it is listed', whenHad: true },
])(
  'When a client has sent all of a file and is cut off $words, then sending again gives one upload',
  ({ whenHad }) =>
    play(stand, async (scene) => {
      for (const file of [await newPhoto(), await newVideo(6)]) {
        const sender = await badLine(scene, file)
        await sender.sendRest()
        const isListed = async () =>
          (await listUploads(stand, scene.event._id)).some(({ sha256 }) => sha256 === file.sha256)
        if (whenHad) await eventually(isListed, 'the upload being listed')
        sender.cut()
        await scene.guest('A bad line').sendUntilKept(file)
      }
      await expectNothingElse(scene)
    }),
)

test('When the same file is sent 20 times at once, then there is one upload of it for each credit', () =>
  play(stand, async ({ event, ledger, saw }) => {
    const bytes = await uniquePhoto()
    const name = 'same.jpg'
    const sendTwentyTimes = async (credit: string): Promise<string> => {
      const file = { eventId: event._id, credit, sha256: sha256(bytes) }
      ledger.noteSent(file)
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const started = performance.now()
          const answer = await sendFiles(stand.api, event._id, [{ name, bytes }], credit)
          const ms = performance.now() - started
          saw({ lost: false, ms, status: answer.status, code: '', message: '' })
          return answer
        }),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
      const uploads = answers.map(({ body }) => body.uploads[0] as { _id: string; duplicate: boolean })
      expect(uploads.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
      const [uploadId = '', ...others] = new Set(uploads.map(({ _id }) => _id))
      expect(others).toEqual([])
      ledger.record({ ...file, uploadId, size: bytes.length, originalName: name })
      return uploadId
    }
    const ids = await Promise.all([sendTwentyTimes('Table 1'), sendTwentyTimes('Table 2')])
    expect(new Set(ids).size).toBe(2)
    expect(await listUploads(stand, event._id)).toHaveLength(2)
    await whenSwept(stand)
  }))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
