import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { envelope, messages, type Envelope } from './index.ts'

const published = JSON.parse(readFileSync(new URL('published.json', import.meta.url), 'utf8')) as Envelope[]

/** Fields that earlier versions did not send, and what they are understood as. */
const newFields: Partial<Record<keyof typeof messages, object>> = { 'event.created.v1': { revision: 0 } }

/** The types of which no message is kept. */
const otherTypes = [
  'queue.created.v1',
  'user.changed.v1',
  'user.deleted.v1',
  'user.erased.v1',
  'user.mail-requested.v1',
  'event.changed.v1',
  'event.deleted.v1',
  'event.erased.v1',
  'organiser.invited.v1',
  'upload.changed.v1',
  'uploads.counted.v1',
  'uploads.erased.v1',
  'media.rendition-requested.v1',
  'media.rendered.v1',
  'media.copy-requested.v1',
  'media.copied.v1',
  'contact.replied.v1',
  'audit.recorded.v1',
]

test('When a type of message has been published, then there is an example of it', () => {
  const types = Object.keys(messages).filter((type) => !otherTypes.includes(type))
  expect(published.map(({ type }) => type).toSorted()).toEqual(types.toSorted())
})

test.each(published.map((message) => [message.type, message] as const))(
  'When an earlier version has published %s, then it is understood, with all of its fields',
  (_, message) => {
    const { type, data } = envelope.parse(message)
    expect(messages[type].parse(data)).toEqual({ ...newFields[type], ...message.data })
  },
)
