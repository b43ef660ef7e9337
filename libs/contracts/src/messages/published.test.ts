import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { envelope, messages, type Envelope } from './index.ts'

const published = JSON.parse(
  readFileSync(new URL('published-0.1.json', import.meta.url), 'utf8'),
) as Envelope[]

test('When a type of message was published by version 0.1, then there is an example of it', () => {
  const types = Object.keys(messages).filter((type) => type !== 'queue.created.v1')
  expect(published.map(({ type }) => type).toSorted()).toEqual(types.toSorted())
})

test.each(published.map((message) => [message.type, message] as const))(
  'When version 0.1 has published %s, then it is understood, with all of its fields',
  (_, message) => {
    const { type, data } = envelope.parse(message)
    expect(messages[type].parse(data)).toEqual(message.data)
  },
)
