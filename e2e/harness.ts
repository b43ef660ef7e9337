import { listEventUploads, type Event, type Upload } from '@confetti/contracts'
import {
  callUntilAvailable,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  withHangTimeout,
  startTestSystem,
  type Account,
  type TestSystem,
} from '@confetti/test-kit'

/** An admin, an organiser and an event that is active today. */
export interface People {
  /** The base URL of the gateway. */
  api: string
  admin: Account
  organiser: Account
  event: Event
}

/** A running system with people. */
export interface Harness extends People {
  system: TestSystem
}

export const startHarness = async (options: Parameters<typeof startTestSystem>[0] = {}): Promise<Harness> => {
  const { environment } = options
  // The accounts below sign in once, and their tokens are used until the last test of a file.
  const auth = { ACCESS_TOKEN_SECONDS: '7200', ...environment?.auth }
  const system = await startTestSystem({ ...options, environment: { ...environment, auth } })
  const api = system.url('gateway')
  const admin = await newAdmin(system, api)
  const organiser = await newOrganiser(api)
  return { system, api, admin, organiser, event: await newEvent(api, admin, organiser) }
}

/** Lists the uploads of an event as an admin sees them. */
export const listUploads = async ({ api, admin, event }: People, eventId = event._id): Promise<Upload[]> => {
  const { body } = await callUntilAvailable(api, listEventUploads, {
    token: admin.token,
    params: { eventId },
  })
  return body.uploads as Upload[]
}

/** Waits until the status of an upload is `ready` or `failed`, and returns the upload. */
export const waitForProcessing = (people: People, uploadId: string, eventId?: string): Promise<Upload> =>
  eventually(
    async () =>
      (await listUploads(people, eventId)).find(
        ({ _id, status }) => _id === uploadId && status !== 'processing',
      ),
    `processing of ${uploadId}`,
    120_000,
  )

export const download = (url: string): Promise<Buffer> =>
  withHangTimeout(url, async (signal) => {
    const response = await fetch(url, { signal })
    if (!response.ok) throw new Error(`GET ${url} returned ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  })
