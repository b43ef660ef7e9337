import type { Upload } from '@confetti/contracts'
import { newEvent, sendFiles } from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { listUploads, type Harness } from '../harness.ts'
import { joinSystemWithoutMedia } from '../shared-system.ts'
import { gif } from './api-requests.ts'
import { findErrors, parseLogLine } from './log-lines.ts'

let harness: Harness

beforeAll(async () => {
  harness = await joinSystemWithoutMedia()
})

const specialNames = [
  '../../../etc/passwd',
  '..\\..\\windows\\system32\\cmd.exe',
  '/etc/passwd',
  'C:\\autoexec.bat',
  'C:autoexec.bat',
  '\\\\server\\share\\a.jpg',
  'file:///etc/passwd',
  'https://elsewhere.test/a.jpg?x=/../b',
  'concat:/etc/passwd|a.jpg',
  '.',
  '..',
  '...',
  '.htaccess',
  '-rf',
  '~root',
  '$(id).jpg',
  '`id`.jpg',
  'a;b|c&d.jpg',
  'a\u202egpj.exe',
  'CON',
  'nul.txt',
  'COM1.jpg',
  'a.jpg.',
  'a.jpg ',
  'a.jpg::$DATA',
  '__proto__',
  'constructor',
  '<img src=x onerror=alert(1)>.jpg',
  'a"; filename="b.exe',
  'a%2f..%2fb.jpg',
  'a'.repeat(5_000),
  '💍'.repeat(300),
  '\ud800.jpg',
  'é.jpg',
  'e\u0301.jpg',
  'É.JPG',
]
// Names have no control characters: the service rejects the whole form because of them, which the corpus tests.
const randomName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((name) => name.toWellFormed().replaceAll(/\p{Cc}/gu, '.'))

/** Expects that `filename` can be extracted from a ZIP on any operating system. */
const expectSafeFilename = (upload: Upload, eventId: string): void => {
  const segments = upload.filename.split('/')
  expect(segments).toHaveLength(2)
  const [folder, name = ''] = segments
  expect(folder).toBe(eventId)
  expect(name).toMatch(/\.gif$/i)
  expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cf}]|^[.\s]|[.\s]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu)
  expect(name).toBe(name.normalize('NFC').toWellFormed())
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
}

test('When file names have a special meaning elsewhere, then each filename is safe and unique in its event', async () => {
  const { api, admin, organiser } = harness
  const event = await newEvent(api, admin, organiser)
  const seed = Number(process.env.FUZZ_SEED ?? 1)
  const names = [...specialNames, ...fc.sample(randomName, { seed, numRuns: 50 - specialNames.length })]
  const files = names.map((name, n) => ({ name, bytes: Buffer.concat([gif, Buffer.of(n)]) }))
  const { status, body } = await sendFiles(api, event._id, files)
  expect([status, body.rejected]).toEqual([201, []])
  const uploads = await listUploads(harness, event._id)
  expect(uploads).toHaveLength(names.length)
  for (const upload of uploads) expectSafeFilename(upload, event._id)
  expect(new Set(uploads.map(({ filename }) => filename.toLowerCase())).size).toBe(names.length)
})

test('When the event id of an upload is malformed, then the response is 404 and no internal request is sent', async () => {
  const { api, event, system } = harness
  const ids = [
    `../users/${harness.admin.user._id}`,
    `..%2fusers%2f${harness.admin.user._id}`,
    `${event._id}/../${event._id}`,
    `${event._id}/`,
    `${event._id}?x`,
    `${event._id}#`,
    `${event._id}%00`,
    `${event._id}\0`,
    `${event._id}${event._id}`,
    event._id.slice(1),
    event._id.replace(/^./, 'g'),
    'http://127.0.0.1:1/',
    '{"$gt":""}',
    '[object Object]',
    '__proto__',
    'null',
    'true',
    '１'.repeat(24),
  ]
  const logLength = system.log.length
  for (const id of ids) {
    const { status, body } = await sendFiles(api, id, [{ name: 'a.gif', bytes: gif }])
    expect([id, status, body.message]).toEqual([id, 404, 'Event not found.'])
  }
  const requestedPaths = system.log.slice(logLength).map((line) => parseLogLine(line).path ?? '')
  // Services ask for revoked tokens in the background.
  const isOfIds = (path: string) => path.startsWith('/internal') && path !== '/internal/revoked-tokens'
  expect(requestedPaths.filter(isOfIds)).toEqual([])
  expect(findErrors(system.log)).toEqual([])
})
