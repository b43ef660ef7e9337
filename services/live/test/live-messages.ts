import { randomBytes, randomUUID } from 'node:crypto'
import type { Envelope, MessageData, MessageType } from '@confetti/contracts'

export const newId = (): string => randomBytes(12).toString('hex')

/** A message as another service publishes it. */
export const messageOf = <T extends MessageType>(type: T, data: MessageData<T>): Envelope<T> => ({
  specversion: '1.0',
  id: randomUUID(),
  type,
  source: '/test',
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  data,
})

export const completed = (eventId: string, uploadId = newId()) =>
  messageOf('upload.completed.v1', { uploadId, eventId, contentType: 'image/jpeg', size: 1 })

export const changed = (
  eventId: string,
  uploadId: string,
  change: Partial<Pick<MessageData<'upload.changed.v1'>, 'status' | 'visibility' | 'isTakenBack'>> = {},
) => messageOf('upload.changed.v1', { uploadId, eventId, status: 'ready', visibility: 'visible', ...change })

export const deleted = (eventId: string, uploadId: string) =>
  messageOf('upload.deleted.v1', { uploadId, eventId })
