import { randomBytes } from 'node:crypto'
import { createEvent, createUploads, type Event } from '@confetti/contracts'
import type { Account } from './accounts.ts'
import { call, callUntilAvailable, type ApiResponse } from './call.ts'

export interface FileToSend {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  type?: string
  /** When it last changed on the device, in milliseconds since 1970. */
  lastModified?: number
}

/** Creates an upload form with its fields before the files, as browsers send it. */
export const uploadForm = (eventId: string, photoCredit: string, files: readonly FileToSend[]): FormData => {
  const form = new FormData()
  form.set('eventId', eventId)
  form.set('photoCredit', photoCredit)
  for (const { name, bytes, type = '', lastModified } of files) {
    if (lastModified !== undefined) form.append('lastModified', String(lastModified))
    form.append('media', new Blob([bytes], { type }), name)
  }
  return form
}

export const sendFiles = (
  url: string,
  eventId: string,
  files: readonly FileToSend[],
  photoCredit = 'Table 4',
): Promise<ApiResponse> => call(url, createUploads, { body: uploadForm(eventId, photoCredit, files) })

const dayFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Creates an event, from today through tomorrow by default. `startsIn` and `endsIn` are days from today. */
export const newEvent = async (
  url: string,
  admin: Account,
  organiser: Account,
  { startsIn = 0, endsIn = 1 }: { startsIn?: number; endsIn?: number } = {},
): Promise<Event> => {
  const { body } = await callUntilAvailable(url, createEvent, {
    token: admin.token,
    body: {
      name: `Wedding ${randomBytes(4).toString('hex')}`,
      description: 'Garden party',
      startDate: dayFromNow(startsIn),
      endDate: dayFromNow(endsIn),
      eventFor: organiser.user._id,
    },
  })
  return body.event as Event
}
