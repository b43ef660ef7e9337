import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { defaultUploadLimits } from '@confetti/contracts'
import { createLogger, eventNotFound, unavailable, type AppError } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../../deps.ts'
import { createForms } from './forms.ts'

const GIF = 'GIF89a' + '\0'.repeat(100)
const part = (header: string, body: string): string =>
  `--x\r\nContent-Disposition: form-data; ${header}\r\n\r\n${body}\r\n`
const form = [
  part('name="eventId"', 'a'.repeat(24)),
  part('name="photoCredit"', 'Table 4'),
  part('name="media"; filename="1.gif"', GIF),
  part('name="media"; filename="2.gif"', GIF),
  '--x--\r\n',
]

/**
 * Sends a form, of two photos unless given. `checks`: what each look at the event says, the first when its id arrives. With
 * `isSlow`, the event is found when the whole form has arrived.
 */
const sendForm = async (checks: (AppError | undefined)[] = [], { parts = form, isSlow = false } = {}) => {
  const ids: string[] = []
  /** The number of a file, in the order in which they begin to be written. */
  const numberOf = (uploadId: string): string => {
    if (!ids.includes(uploadId)) ids.push(uploadId)
    return String(ids.indexOf(uploadId) + 1)
  }
  const committed: string[] = []
  const removed: string[] = []
  const accepted: string[] = []
  let looks = 0
  const deps = {
    config: {
      ...defaultUploadLimits,
      MAX_CREDIT_CHARACTERS: 100,
      IDLE_TIMEOUT_MS: 75_000,
      MAX_UPLOAD_DURATION_MS: 3_600_000,
    },
    formSlots: {
      limitBytes: 0,
      usedBytes: () => 0,
      acquire: () => Promise.resolve({ buffer: Buffer.alloc(1_024), release: () => undefined }),
    },
    blobs: {
      writeOriginal: async (uploadId: string, chunks: AsyncIterable<Buffer>) => {
        const number = numberOf(uploadId)
        for await (const _ of chunks);
        committed.push(number)
      },
      removeAll: (uploadId: string) => Promise.resolve(removed.push(numberOf(uploadId)) > 0),
    },
    unreadPeriods: { add: () => Promise.resolve() },
    events: {
      findConsent: () => Promise.resolve(undefined),
      getOpen: async () => {
        const error = checks[looks]
        looks += 1
        if (isSlow && !request.readableEnded) await once(request, 'end')
        return error ? Promise.reject(error) : Promise.resolve({ _id: 'a'.repeat(24) })
      },
    },
    clock: () => new Date(),
    metrics: {
      phase: (_: string, work: () => unknown) => work(),
      stored: () => undefined,
      rejected: () => undefined,
    },
    logger: createLogger('test', 'silent'),
  }
  const receive = createForms(deps as unknown as Deps, (candidates) => {
    accepted.push(...candidates.map(({ upload }) => numberOf(upload._id)))
    return Promise.resolve(candidates.map(({ upload }) => ({ upload, kind: 'new' }) as never))
  })
  const request = Object.assign(Readable.from(parts.map((text) => Buffer.from(text))), {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    complete: true,
  }) as unknown as IncomingMessage
  const outcome = await receive(request, { limitSubject: { kind: 'guest', id: '1' } }).catch(
    (error: unknown) => error as AppError,
  )
  await new Promise(setImmediate)
  return { kind: 'kind' in outcome ? outcome.kind : 'stored', committed, removed, accepted }
}

test('When an event takes uploads until the end of a form, then its files are stored', async () => {
  expect(await sendForm()).toEqual({
    kind: 'stored',
    committed: ['1', '2'],
    removed: [],
    accepted: ['1', '2'],
  })
})

test('When a megabyte of small files arrives while the event is looked up, then they are stored', async () => {
  const [eventId = '', credit = ''] = form
  const file = part('name="media"; filename="1.gif"', GIF + '\0'.repeat(10_000))
  const parts = [eventId, credit, ...Array.from({ length: 120 }, () => file), '--x--\r\n']
  const { kind, committed } = await sendForm([], { parts, isSlow: true })
  expect([kind, committed.length]).toEqual(['stored', defaultUploadLimits.MAX_FILES_PER_REQUEST])
})

test.each([
  ['the event is deleted', eventNotFound()],
  ['the database stops', unavailable('The service is busy.')],
])('When %s while a file arrives, then nothing of the form stays', async (_, error) => {
  expect(await sendForm([undefined, undefined, error])).toEqual({
    kind: error.kind,
    committed: ['1'],
    removed: ['2', '1'],
    accepted: [],
  })
})

test('When the event is deleted at the end of a form, then nothing of it stays', async () => {
  expect(await sendForm([undefined, undefined, undefined, eventNotFound()])).toEqual({
    kind: 'not_found',
    committed: ['1', '2'],
    removed: ['1', '2'],
    accepted: [],
  })
})
