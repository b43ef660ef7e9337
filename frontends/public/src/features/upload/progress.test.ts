import { expect, test } from '@jest/globals'
import type { ChosenFile, FileStatus } from './chosen-file.ts'
import { progressOf } from './progress.ts'
import { holdupText, outcomeText, spokenProgress } from './words.ts'

let lastId = 0
const file = (status: FileStatus, size = 100, sentBytes = 0): ChosenFile => {
  lastId += 1
  return { id: lastId, file: new File([new Uint8Array(size)], `${lastId}.jpg`), status, sentBytes }
}

test('When files differ in size, then progress goes by their bytes', () => {
  const { percent } = progressOf([file('sent', 300, 300), file('sending', 100, 50), file('waiting', 100)])
  expect(percent).toBe(70)
})

test('When a file failed or was never sent, then its bytes are not waited for', () => {
  const progress = progressOf([
    file('sent', 100, 100),
    file('failed', 900),
    file('unfit', 500),
    file('ready', 50),
  ])
  expect(progress).toEqual({ total: 2, sent: 1, failed: 1, ready: 1, busy: false, percent: 100 })
})

test('When all bytes have left but an answer is missing, then it is not done', () => {
  expect(progressOf([file('sending', 100, 100)]).percent).toBe(99)
})

test('When nothing is chosen, then nothing is said', () => {
  expect(spokenProgress(progressOf([]))).toBe('')
  expect(spokenProgress(progressOf([file('ready')]))).toBe('')
})

test('When bytes leave, then it is said at the start and at each quarter only', () => {
  const said = [0, 1, 24, 25, 26, 49, 50, 74, 75, 99, 100].map((bytes) =>
    spokenProgress(progressOf([file('sending', 100, bytes)])),
  )
  expect([...new Set(said)]).toEqual(['Sending 1 file.', '25 % sent.', '50 % sent.', '75 % sent.'])
})

test('When a file fails meanwhile, then that is said with it', () => {
  expect(spokenProgress(progressOf([file('failed'), file('sending', 100, 60)]))).toBe(
    '50 % sent. 1 file did not arrive.',
  )
})

test('When all is over, then it says how many arrived', () => {
  expect(outcomeText(progressOf([file('sent'), file('sent')]))).toBe('2 files arrived.')
  expect(outcomeText(progressOf([file('sent'), file('failed')]))).toBe('1 arrived, 1 did not.')
})

test('When the device is offline, then that is the reason, whatever failed', () => {
  expect(holdupText('lost', false)).toBe(
    'You are offline. Sending goes on by itself when the connection is back.',
  )
  expect(holdupText(undefined, true)).toBeUndefined()
})
