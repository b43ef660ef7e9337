import {
  deleteGuestUpload,
  getEvent,
  listGallery,
  listGuestUploads,
  setMyUploadsVisibility,
  updateEvent,
  type GalleryUpload,
  type GuestUpload,
} from '@confetti/contracts'
import { call, eventually } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads, waitForProcessing } from '../harness.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

const PHOTOS = 4

let harness: FaultHarness
beforeAll(async () => {
  harness = await startFaultHarness()
}, 180_000)
afterAll(() => harness.stop(), 60_000)

const idsOf = (uploads: readonly { _id: string }[]): string[] => uploads.map(({ _id }) => _id)

test('When photos wait for approval, then the gallery has only those that an organiser has approved', () =>
  runScenario(harness, async ({ event, guest, reportViolation }) => {
    const { api, organiser } = harness
    const params = { eventId: event._id }
    const settings = { moderation: 'approve', gallery: 'on' } as const
    await call(api, updateEvent, { token: organiser.token, params, body: { settings } })
    const look = () => call(api, listGallery, { params })
    await eventually(async () => (await look()).status === 200, 'the gallery')
    const sender = guest()
    for (let sent = 0; sent < PHOTOS; sent += 1) await sender.sendUntilStored(await newPhoto())
    const sent = idsOf(await listUploads(harness, event._id))
    for (const id of sent) await waitForProcessing(harness, id, event._id)
    const uploadIds = sent.slice(0, 1)
    const body = { uploadIds, visibility: 'visible' }
    await call(api, setMyUploadsVisibility, { token: organiser.token, params, body })
    const shown = idsOf((await look()).body.uploads as GalleryUpload[])
    if (shown.join() !== uploadIds.join())
      reportViolation({
        kind: 'assertion',
        what: `guests see ${shown.length} photos, and 1 of ${PHOTOS} was approved`,
      })
  }))

/** A guest with a token of the gateway. */
const createTokenHolder = async ({ event, guest }: ScenarioContext, credit: string) => {
  const { api } = harness
  const { headers } = await call(api, getEvent, { params: { eventId: event._id } })
  const guestToken = headers.get('x-guest-token') ?? ''
  const proof = { headers: { 'X-Guest-Token': guestToken } }
  return {
    sender: guest(credit, { guestToken }),
    list: async (): Promise<string[]> => {
      const { body } = await call(api, listGuestUploads, { ...proof, query: { eventId: event._id } })
      return idsOf(body.uploads as GuestUpload[])
    },
    takeBack: async (uploadId: string): Promise<number> =>
      (await call(api, deleteGuestUpload, { ...proof, params: { uploadId } })).status,
  }
}

test('When guests take photos back, then each can do so with their own only', () =>
  runScenario(harness, async (context) => {
    const [anna, ben] = [await createTokenHolder(context, 'Anna'), await createTokenHolder(context, 'Ben')]
    for (const { sender } of [anna, ben])
      for (let sent = 0; sent < 2; sent += 1) await sender.sendUntilStored(await newPhoto())
    const [kept = '', takenBack = ''] = await anna.list()
    for (const id of [kept, takenBack]) {
      const status = await ben.takeBack(id)
      if (status !== 404)
        context.reportViolation({
          kind: 'assertion',
          what: `another guest's attempt to take back a photo was answered with ${status}`,
        })
    }
    expect(await anna.takeBack(takenBack)).toBe(200)
    context.uploadLog.recordDeleted(takenBack)
    expect(await anna.list()).toEqual([kept])
    expect(await ben.list()).toHaveLength(2)
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
