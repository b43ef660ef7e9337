import { listEventUploads, type Event, type Upload } from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  orHang,
  startTestSystem,
  type Account,
  type TestSystem,
} from '@confetti/test-kit'

/** A whole system behind its gateway, with an admin, an organiser and an event that is on today. */
export interface Stand {
  system: TestSystem
  /** The gateway. */
  api: string
  admin: Account
  organiser: Account
  event: Event
}

export const startStand = async (options: Parameters<typeof startTestSystem>[0] = {}): Promise<Stand> => {
  const system = await startTestSystem(options)
  const api = system.url('gateway')
  const admin = await newAdmin(system, api)
  const organiser = await newOrganiser(api)
  return { system, api, admin, organiser, event: await newEvent(api, admin, organiser) }
}

export const listUploads = async ({ api, admin, event }: Stand, eventId = event._id): Promise<Upload[]> => {
  const { body } = await call(api, listEventUploads, { token: admin.token, params: { eventId } })
  return body.uploads as Upload[]
}

/** The upload once the media worker is done with it, well or badly. */
export const whenProcessed = (stand: Stand, id: string, eventId?: string): Promise<Upload> =>
  eventually(
    async () =>
      (await listUploads(stand, eventId)).find(({ _id, status }) => _id === id && status !== 'processing'),
    `processing of ${id}`,
    120_000,
  )

export const download = (url: string): Promise<Buffer> =>
  orHang(url, async (signal) => {
    const response = await fetch(url, { signal })
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  })
