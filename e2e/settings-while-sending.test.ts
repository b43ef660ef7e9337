import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import {
  completeUploads,
  createEventPass,
  createUploads,
  createUploadTickets,
  EVENT_PASS_HEADER,
  getEvent,
  updateEvent,
  type Event,
  type EventSettings,
  type GuestEvent,
} from '@confetti/contracts'
import { serviceNames } from '@confetti/launcher'
import { call, eventually, putFile, uploadForm, type ApiResponse, type SendTicket } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { download, listUploads, startHarness, type Harness } from './harness.ts'
import { gif } from './security/api-requests.ts'
import { sha256 } from './sha256.ts'

// What a host decides while guests send, with two replicas of all that has copies of the event.

const GUESTS = 50
const PIN = 'Tulip42'
/** Between two photos of a guest: so slowly that all replicas have heard of a decision before the last ones are sent. */
const PACE_MS = 1_500

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    // Nobody looks at the photos.
    services: serviceNames.filter((name) => name !== 'media'),
    replicas: { events: 2, uploads: 2, gateway: 2 },
  })
})
afterAll(() => harness.system.stop())

const decide = async ({ _id: eventId }: Event, settings: EventSettings): Promise<void> => {
  const { status } = await call(harness.api, updateEvent, {
    token: harness.organiser.token,
    params: { eventId },
    body: { settings },
  })
  expect(status).toBe(200)
}

/** What a guest was told is stored. */
interface Acknowledged {
  uploadId: string
  sha256: string
  /** What the guest had agreed to when the file was accepted. */
  consentVersion: string | undefined
}

/** Opens an event as a guest, who shows what it asks for: like the page, only after a refusal. */
const joinAsGuest = async ({ _id: eventId }: Event) => {
  const { api } = harness
  const params = { eventId }
  const opened = await call(api, getEvent, { params })
  const headers: Record<string, string> = { 'X-Guest-Token': opened.headers.get('X-Guest-Token') ?? '' }
  let consentVersion: string | undefined
  const refusals: string[] = []

  const give: Record<string, () => Promise<void>> = {
    pin_required: async () => {
      const { status, body } = await call(api, createEventPass, { params, headers, body: { pin: PIN } })
      expect(status).toBe(201)
      headers[EVENT_PASS_HEADER] = String(body.pass)
    },
    consent_required: async () => {
      const { body } = await ask(() => call(api, getEvent, { params, headers }))
      consentVersion = (body as GuestEvent).consent?.version
    },
  }
  /** Calls again, once the guest has what the event asks for. */
  const ask = async (send: () => Promise<ApiResponse>): Promise<ApiResponse> => {
    const response = await send()
    const answer = give[String(response.body.code)]
    if (!answer) return response
    refusals.push(`${response.status} ${response.body.code}`)
    await answer()
    return ask(send)
  }

  const sendForm = async (bytes: Buffer<ArrayBuffer>): Promise<ApiResponse> => {
    const form = new FormData()
    if (consentVersion) form.set('consentVersion', consentVersion)
    for (const [name, value] of uploadForm(eventId, 'Ann', [{ name: 'a.gif', bytes }]))
      form.append(name, value)
    return call(api, createUploads, { headers, body: form })
  }
  const askForTicket = (bytes: Buffer): Promise<ApiResponse> =>
    call(api, createUploadTickets, {
      headers,
      body: {
        eventId,
        photoCredit: 'Ann',
        files: [{ name: 'a.gif', size: bytes.length }],
        ...(consentVersion && { consentVersion }),
      },
    })

  return {
    refusals,
    send: async (isForm: boolean): Promise<Acknowledged> => {
      const bytes = Buffer.concat([gif, randomBytes(16)])
      let response = await ask(() => (isForm ? sendForm(bytes) : askForTicket(bytes)))
      const agreed = consentVersion
      if (!isForm) {
        const [ticket] = response.body.tickets as [SendTicket]
        await sleep(PACE_MS / 4)
        expect(await putFile(ticket.transfer, bytes)).toEqual([201])
        // Whatever the host has decided since the ticket.
        response = await call(api, completeUploads, { headers, body: { tickets: [ticket.ticket] } })
      }
      expect(response.status).toBe(201)
      const [upload] = response.body.uploads as { _id: string }[]
      return { uploadId: upload?._id ?? '', sha256: sha256(bytes), consentVersion: agreed }
    },
  }
}

test(`When a host asks for consent and sets a PIN while ${GUESTS} guests send, then nothing that was acknowledged is lost, and all go on`, async () => {
  const { event } = harness
  const acknowledged: Acknowledged[] = []
  const guests = Array.from({ length: GUESTS }, async (_, index) => {
    const guest = await joinAsGuest(event)
    for (let left = 2, photo = index; left > 0; photo += 1) {
      const isAskedForBoth = guest.refusals.length >= 2
      acknowledged.push(await guest.send(photo % 4 === 0))
      if (isAskedForBoth) left -= 1
      await sleep(PACE_MS)
    }
    return guest.refusals
  })
  const sending = Promise.all(guests)
  const host = async (): Promise<void> => {
    await eventually(() => acknowledged.length >= GUESTS, 'the first photos')
    await decide(event, { consent: { text: 'My photos may be shown.' } })
    await eventually(() => acknowledged.some((each) => each.consentVersion), 'the first consent')
    await decide(event, { pin: PIN })
  }
  const [refusals] = await Promise.all([sending, host()])

  // Nobody is asked twice.
  const documented = ['400 consent_required', '404 pin_required']
  expect(refusals.map((each) => each.toSorted())).toEqual(refusals.map(() => documented))
  const uploads = new Map((await listUploads(harness)).map((upload) => [upload._id, upload]))
  expect([...uploads.keys()].toSorted()).toEqual(acknowledged.map(({ uploadId }) => uploadId).toSorted())
  for (const { uploadId, sha256: hash, consentVersion } of acknowledged) {
    const upload = uploads.get(uploadId)
    expect([uploadId, upload?.consent?.version]).toEqual([uploadId, consentVersion])
    expect(sha256(await download(upload?.url ?? ''))).toBe(hash)
  }
  expect(acknowledged.filter((each) => !each.consentVersion).length).toBeGreaterThanOrEqual(GUESTS)
})
