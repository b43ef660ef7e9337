import { createUploadTickets, updateEvent, type NewTicket } from '@confetti/contracts'
import { call, eventually, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads } from '../harness.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { runScenario } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

const MAX_FILES = 10
const GUESTS = 20

let harness: FaultHarness
beforeAll(async () => {
  harness = await startFaultHarness()
}, 180_000)
afterAll(() => harness.stop(), 60_000)

test('When more guests send at the same time than the quota of an event allows, then it is never exceeded', () =>
  runScenario(harness, async ({ event, uploadLog, reportViolation }) => {
    const { api, admin } = harness
    const change = await call(api, updateEvent, {
      token: admin.token,
      params: { eventId: event._id },
      body: { settings: { maxFiles: MAX_FILES } },
    })
    expect(change.status).toBe(200)
    // More tickets than the quota allows: one is refused as soon as uploads knows of the change.
    const files = Array.from({ length: MAX_FILES + 1 }, (_, index) => ({ name: `${index}.jpg`, size: 1_000 }))
    await eventually(async () => {
      const body = { eventId: event._id, photoCredit: 'Table 0', files }
      const { tickets } = (await call(api, createUploadTickets, { body })).body as { tickets: NewTicket[] }
      return tickets.some(({ outcome }) => outcome === 'rejected')
    }, 'the change of the event')
    const sendTwice = async (credit: string): Promise<number[]> => {
      const statuses: number[] = []
      for (let sent = 0; sent < 2; sent += 1) {
        const file = { name: 'photo.jpg', bytes: await uniquePhoto() }
        const { status, body } = await sendFiles(api, event._id, [file], credit)
        statuses.push(status)
        const [upload] = (body.uploads ?? []) as { _id: string; size: number; sha256: string }[]
        if (!upload) continue
        const content = { eventId: event._id, credit, sha256: upload.sha256 }
        uploadLog.recordSent(content)
        uploadLog.recordAcknowledged({
          ...content,
          uploadId: upload._id,
          size: upload.size,
          originalName: file.name,
        })
      }
      return statuses
    }
    const statuses = await Promise.all(
      Array.from({ length: GUESTS }, (_, index) => sendTwice(`Table ${index}`)),
    )
    const unexpected = statuses.flat().filter((status) => ![201, 413].includes(status))
    if (unexpected.length > 0)
      reportViolation({ kind: 'response', what: `guests got ${unexpected.join(', ')}` })
    const stored = (await listUploads(harness, event._id)).length
    if (stored !== MAX_FILES)
      reportViolation({
        kind: 'assertion',
        what: `the quota of the event is ${MAX_FILES} files, and ${stored} are stored`,
      })
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
