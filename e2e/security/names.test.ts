import type { Upload } from '@confetti/contracts'
import { newEvent, sample, sendFiles } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { listUploads, startStand, type Stand } from '../stand.ts'
import { parseLine, troublesIn } from './running.ts'

let stand: Stand

beforeAll(async () => {
  stand = await startStand({ services: ['auth', 'events', 'uploads', 'contact', 'gateway'] })
}, 120_000)
afterAll(() => stand.system.stop())

const oddNames = [
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
// A form with a control character in a name is refused as a whole: see the corpus.
const anyName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((name) => name.toWellFormed().replaceAll(/\p{Cc}/gu, '.'))

/** What a name must be so that any system can take it from a zip. */
const expectSafe = (upload: Upload, eventId: string): void => {
  const segments = upload.filename.split('/')
  expect(segments).toHaveLength(2)
  const [folder, name = ''] = segments
  expect(folder).toBe(eventId)
  expect(name).toMatch(/\.gif$/i)
  expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cf}]|^[.\s]|[.\s]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu)
  expect(name).toBe(name.normalize('NFC').toWellFormed())
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
}

test('When files have names that mean something elsewhere, then each is one plain, unique name in its event', async () => {
  const { api, admin, organiser } = stand
  const event = await newEvent(api, admin, organiser)
  const gif = await sample('animated.gif')
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
  const names = [...oddNames, ...fc.sample(anyName, { seed, numRuns: 100 - oddNames.length })]
  const files = names.map((name, n) => ({ name, bytes: Buffer.concat([gif, Buffer.of(n)]) }))
  for (const some of [files.slice(0, 50), files.slice(50)]) {
    const { status, body } = await sendFiles(api, event._id, some)
    expect([status, body.rejected]).toEqual([201, []])
  }
  const uploads = await listUploads(stand, event._id)
  expect(uploads).toHaveLength(names.length)
  for (const upload of uploads) expectSafe(upload, event._id)
  expect(new Set(uploads.map(({ filename }) => filename.toLowerCase())).size).toBe(names.length)
})

test('When an event is named by what is no id, then it is not found, and no service is asked for it', async () => {
  const { api, event, system } = stand
  const gif = await sample('animated.gif')
  const ids = [
    `../users/${stand.admin.user._id}`,
    `..%2fusers%2f${stand.admin.user._id}`,
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
  const logged = system.log.length
  for (const id of ids) {
    const { status, body } = await sendFiles(api, id, [{ name: 'a.gif', bytes: gif }])
    expect([id, status, body.message]).toEqual([id, 404, 'Event not found.'])
  }
  const askedFor = system.log.slice(logged).map((line) => parseLine(line).path ?? '')
  expect(askedFor.filter((path) => path.startsWith('/internal'))).toEqual([])
  expect(troublesIn(system.log)).toEqual([])
})
