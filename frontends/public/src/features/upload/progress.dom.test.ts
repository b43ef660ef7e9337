import { expect, test } from '@jest/globals'
import { loadCatalogues } from '@confetti/i18n'
import { getText, guestCatalogues } from '../../texts.ts'
import {
  formatOutcome,
  getPauseText,
  getProgress,
  getScreenReaderText,
  type FileStatus,
  type SelectedFile,
} from './selected-files.ts'

await loadCatalogues(guestCatalogues)

let lastId = 0
const file = (status: FileStatus, size = 100, sentBytes = 0): SelectedFile => {
  lastId += 1
  return { id: lastId, file: new File([new Uint8Array(size)], `${lastId}.jpg`), status, sentBytes }
}

test('When files differ in size, then the progress is by bytes', () => {
  const { percent } = getProgress([file('sent', 300, 300), file('sending', 100, 50), file('queued', 100)])
  expect(percent).toBe(70)
})

test('When a file has failed or was not sent, then its bytes do not count', () => {
  const progress = getProgress([
    file('sent', 100, 100),
    file('failed', 900),
    file('invalid', 500),
    file('ready', 50),
  ])
  expect(progress).toEqual({
    total: 2,
    sent: 1,
    failed: 1,
    retryable: 1,
    ready: 1,
    busy: false,
    percent: 100,
  })
})

test('When all bytes are sent but a response is missing, then the progress is below 100', () => {
  expect(getProgress([file('sending', 100, 100)]).percent).toBe(99)
})

test('When no file is being sent, then the screen reader text is empty', () => {
  expect(getScreenReaderText(getText, getProgress([]))).toBe('')
  expect(getScreenReaderText(getText, getProgress([file('ready')]))).toBe('')
})

test('When bytes are sent, then the screen reader text changes at the start and at each quarter', () => {
  const texts = [0, 1, 24, 25, 26, 49, 50, 74, 75, 99, 100].map((bytes) =>
    getScreenReaderText(getText, getProgress([file('sending', 100, bytes)])),
  )
  expect([...new Set(texts)]).toEqual(['Sending 1 file.', '25 % sent.', '50 % sent.', '75 % sent.'])
})

test('When a file fails while others are being sent, then the screen reader text has both', () => {
  expect(getScreenReaderText(getText, getProgress([file('failed'), file('sending', 100, 60)]))).toBe(
    '50 % sent. 1 file failed.',
  )
})

test('When sending is complete, then the outcome has the number of files', () => {
  expect(formatOutcome(getText, getProgress([file('sent'), file('sent')]))).toBe('2 files sent.')
  expect(formatOutcome(getText, getProgress([file('sent'), file('failed')]))).toBe('1 sent, 1 failed.')
})

test('When the device is offline, then that is the reason for the pause', () => {
  expect(getPauseText(getText, 'connection-lost', false)).toBe(
    "You're offline. Sending will resume automatically when you're back online.",
  )
  expect(getPauseText(getText, undefined, true)).toBeUndefined()
})
