import { expect, test } from '@jest/globals'
import { reasonOf } from './consumer.ts'
import { redactContent } from './dead-letters.ts'

test('When a message is shown, then its data has ids, times, types and numbers, and no other text', () => {
  const id = 'a'.repeat(24)
  const envelope = { id: '1', type: 'organiser.invited.v1', requestid: 'r' }
  const data = {
    eventId: id,
    expiresAt: '2030-05-04T12:30:00.000Z',
    contentType: 'image/svg+xml',
    size: 5,
    email: 'somebody@example.com',
    eventName: 'Anna & Ben',
    link: `https://confetti.test/organiser-invitation#token=${id}.secret`,
    invitedBy: { _id: id, email: 'x@example.com' },
    organisers: [id, 'Ben'],
  }
  expect(JSON.parse(redactContent(JSON.stringify({ ...envelope, data })))).toEqual({
    ...envelope,
    data: {
      ...data,
      email: '…',
      eventName: '…',
      link: '…',
      invitedBy: { _id: id, email: '…' },
      organisers: [id, '…'],
    },
  })
  expect(redactContent('no JSON: somebody@example.com')).toBe('…')
})

test('When an error quotes an address or a link, then the reason of a dead letter does not', () => {
  expect(reasonOf(new Error('550 <somebody@example.com> refused, see https://a.test/#token=x'))).toBe(
    '550 … refused, see …',
  )
})
