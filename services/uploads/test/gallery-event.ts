import { randomBytes } from 'node:crypto'
import {
  createUploads,
  listEventUploads,
  updateEvent,
  type Event,
  type EventSettings,
  type MessageType,
  type Upload,
  type UploadVisibility,
} from '@confetti/contracts'
import { newMessage, toEnvelope } from '@confetti/messaging'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  recordMessages,
  startTestSystem,
  uniquePhoto,
  uploadForm,
  type Account,
  type FileToSend,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { databaseUrl } from '@confetti/launcher'
import mongoose from 'mongoose'

/** A system without media, whose results the tests publish themselves. */
export interface GallerySystem {
  system: TestSystem
  /** That of the uploads service. */
  database: mongoose.Connection
  messages: RecordedMessages
  url: string
  admin: Account
  organiser: Account
  stop: () => Promise<void>
}

export const startGallerySystem = async (
  uploads: Readonly<Record<string, string>> = {},
  {
    accessTokenSeconds = 3_600,
    ...options
  }: Pick<NonNullable<Parameters<typeof startTestSystem>[0]>, 'services' | 'clock'> & {
    accessTokenSeconds?: number
  } = {},
): Promise<GallerySystem> => {
  const system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    ...options,
    environment: { auth: { ACCESS_TOKEN_SECONDS: String(accessTokenSeconds) }, uploads },
  })
  const messages = await recordMessages(system)
  const url = databaseUrl(system.backends.mongo, system.namespace, 'uploads')
  const database = await mongoose.createConnection(url).asPromise()
  const auth = system.url('auth')
  return {
    system,
    database,
    messages,
    url: system.url('uploads'),
    admin: await newAdmin(system, auth),
    organiser: await newOrganiser(auth),
    stop: async () => {
      await database.close()
      await messages.close()
      await system.stop()
    },
  }
}

/** The content of the messages of one type about an upload. */
export const messagesAbout = <T extends MessageType>(
  { messages }: Pick<GallerySystem, 'messages'>,
  type: T,
  uploadId: string,
) =>
  messages
    .distinct(type)
    .map(({ data }) => data)
    .filter((data) => JSON.stringify(data).includes(uploadId))

/** Changes the settings of an event, and waits until the copy of the uploads service has them. */
export const changeSettings = async (
  { system, database, organiser }: GallerySystem,
  event: Event,
  settings: { [Name in keyof EventSettings]: EventSettings[Name] | null },
): Promise<void> => {
  const { status, body } = await call(system.url('events'), updateEvent, {
    token: organiser.token,
    params: { eventId: event._id },
    body: { settings },
  })
  if (status !== 200) throw new Error(`The settings were refused: ${JSON.stringify(body)}`)
  const matches = (copy: Record<string, unknown> | null) =>
    Object.entries(settings).every(([name, value]) => {
      const stored = copy?.[name] ?? null
      return (stored instanceof Date ? stored.toISOString() : stored) === value
    })
  const copies = database.collection<{ _id: string }>('events')
  await eventually(async () => matches(await copies.findOne({ _id: event._id })), 'the copy of the event')
}

/** An event with these settings, which the uploads service knows. */
export const eventWith = async (context: GallerySystem, settings: EventSettings): Promise<Event> => {
  const event = await newEvent(context.system.url('events'), context.admin, context.organiser)
  await changeSettings(context, event, settings)
  return event
}

export const newGuest = (): string => randomBytes(16).toString('base64url')
/** The headers that the gateway sets for a guest with a token. */
export const asGuest = (guestId: string) => ({ 'X-Guest-Id': guestId })
export const photo = async (name = 'photo.jpg'): Promise<FileToSend> => ({ name, bytes: await uniquePhoto() })

/** Sends one photo in a form, and returns the id of its upload. */
export const sendPhoto = async (
  { url }: Pick<GallerySystem, 'url'>,
  event: Event,
  headers: Record<string, string> = {},
  file?: FileToSend,
  credit = 'Table 4',
): Promise<string> => {
  const sent = file ?? (await photo())
  const { status, body } = await call(url, createUploads, {
    headers,
    body: uploadForm(event._id, credit, [sent]),
  })
  if (status !== 201) throw new Error(`The photo was refused: ${JSON.stringify(body)}`)
  return String(body.uploads[0]._id)
}

export const uploadsOf = async (
  { url, admin }: Pick<GallerySystem, 'url' | 'admin'>,
  event: Event,
): Promise<Upload[]> => {
  const { body } = await call(url, listEventUploads, { token: admin.token, params: { eventId: event._id } })
  return body.uploads as Upload[]
}

export const visibilityOf = async (
  context: Pick<GallerySystem, 'url' | 'admin'>,
  event: Event,
  uploadId: string,
): Promise<UploadVisibility | undefined> =>
  (await uploadsOf(context, event)).find(({ _id }) => _id === uploadId)?.visibility

/** Publishes what media publishes about a processed photo, and waits until the uploads are ready. */
export const makeReady = async (
  context: GallerySystem,
  event: Event,
  ...uploadIds: string[]
): Promise<void> => {
  for (const uploadId of uploadIds)
    await context.messages.publish(
      toEnvelope(
        newMessage('media.processed.v1', {
          uploadId,
          width: 4_000,
          height: 3_000,
          takenAt: '2026-06-12T21:40:07',
        }),
        '/services/media',
      ),
    )
  await eventually(async () => {
    const uploads = await uploadsOf(context, event)
    return uploadIds.every((id) => uploads.some(({ _id, status }) => _id === id && status === 'ready'))
  }, 'the uploads to be ready')
}

/** Publishes what media publishes when the rendition of a video is stored. */
export const reportRendition = (
  { messages }: Pick<GallerySystem, 'messages'>,
  uploadId: string,
): Promise<void> =>
  messages.publish(toEnvelope(newMessage('media.rendered.v1', { uploadId }), '/services/media'))

/** A photo in an event, ready. */
export const readyPhoto = async (
  context: GallerySystem,
  event: Event,
  headers: Record<string, string> = {},
  credit?: string,
): Promise<string> => {
  const uploadId = await sendPhoto(context, event, headers, undefined, credit)
  await makeReady(context, event, uploadId)
  return uploadId
}
