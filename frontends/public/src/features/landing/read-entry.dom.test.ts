import { expect, test } from '@jest/globals'
import { readEntry } from './code-form.tsx'

const eventId = '6b03b0c58bddcb2b37aa5f39'

test.each([
  ['7f3k-9qxm', { code: '7F3K9QXM', hash: '' }],
  ['https://photos.example/e/7F3K-9QXM', { code: '7F3K9QXM', hash: '' }],
  [' photos.example/e/7f3k9qxm?fbclid=1#key ', { code: '7F3K9QXM', hash: '#key' }],
  [`https://photos.example/upload?eventId=${eventId}`, { eventId, hash: '' }],
  [`https://photos.example/gallery?utm_source=x&eventId=${eventId}&y=1#key`, { eventId, hash: '#key' }],
])('When %j is entered, then it is understood', (typed, entry) => {
  expect(readEntry(typed)).toEqual(entry)
})

test.each([
  '',
  'wedding',
  'https://photos.example/',
  'https://photos.example/e/garbage',
  '/upload?eventId=x',
])('When %j is entered, then it leads nowhere', (typed) => {
  expect(readEntry(typed)).toBeUndefined()
})
