import { execFile } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ArchiveEntry } from '../src/archives/entries.ts'
import { layOutZip, measurePage } from '../src/archives/zip-layout.ts'

const GIB = 2 ** 30
const run = promisify(execFile)
const options = { maxBuffer: 64 * 2 ** 20 }

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-archives-'))
})
afterAll(() => rm(folder, { recursive: true }))

const entryOf = (name: string, size: number): ArchiveEntry => ({
  uploadId: '',
  name,
  size,
  // Of no bytes; the files below are never read.
  crc32: 0,
  modified: { local: '2026-05-01T18:30:00', unixSeconds: 1_777_653_000 },
})

/** Writes an archive whose files are holes in a sparse file, so that gigabytes take no space. */
const writeSparse = async (name: string, entries: readonly ArchiveEntry[]): Promise<string> => {
  const layout = layOutZip([measurePage(entries, 0)])
  const path = join(folder, name)
  const file = await open(path, 'w')
  let at = 0
  let buffered: Buffer[] = []
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(buffered)
    await file.write(bytes, 0, bytes.length, at)
    at += bytes.length
    buffered = []
  }
  for await (const segment of layout.segmentsOf({ start: 0, end: layout.bytes }, () =>
    Promise.resolve(entries),
  )) {
    if (segment.kind === 'bytes') {
      buffered.push(segment.bytes)
      continue
    }
    await flush()
    at += segment.end - segment.start
  }
  await flush()
  expect(at).toBe(layout.bytes)
  await file.close()
  return path
}

type Listing = [name: string, size: number][]

/** What independent programs list of an archive. Python also reads the headers in front of the last files. */
const readers: Record<string, (path: string) => Promise<Listing>> = {
  python: async (path) => {
    const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for info in archive.infolist()[-100:]:
        archive.open(info).close()
    print(json.dumps([[info.filename, info.file_size] for info in archive.infolist()]))`
    return JSON.parse((await run('python3', ['-c', script, path], options)).stdout) as Listing
  },
  unzip: async (path) => {
    const { stdout } = await run('unzip', ['-Zl', path], options)
    return [...stdout.matchAll(/^-\S+ +\S+ \S+ +(\d+) .* \d\d:\d\d (.*)$/gm)].map(([, size, name = '']) => [
      name,
      Number(size),
    ])
  },
  bsdtar: async (path) => {
    const { stdout } = await run('bsdtar', ['-tvf', path], { ...options, env: { LC_ALL: 'C.UTF-8' } })
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, , , , size, , , , ...name] = line.split(/ +/)
        return [name.join(' '), Number(size)]
      })
  },
  '7z': async (path) => {
    const { stdout } = await run('7z', ['l', '-slt', path], options)
    return [...stdout.matchAll(/^Path = (.*)\nFolder = -\nSize = (\d+)$/gm)].map(([, name = '', size]) => [
      name,
      Number(size),
    ])
  },
}

const archives: [string, ArchiveEntry[]][] = [
  ['one file', [entryOf('Geschwister Müller/IMG_1.jpg', 10)]],
  ['sizes around 4 GiB', [4 * GIB - 2, 4 * GIB - 1, 4 * GIB, 1].map((size, n) => entryOf(`${n}.mp4`, size))],
  [
    'a file that begins beyond 4 GiB',
    [3, 3, 0.1].map((gib, n) => entryOf(`Anna ${n}/${n}.mp4`, Math.round(gib * GIB))),
  ],
  ...[65_534, 65_535].map((count): [string, ArchiveEntry[]] => [
    `${count} files`,
    Array.from({ length: count }, (_, n) => entryOf(`${n}.jpg`, 1)),
  ]),
]

test.each(archives)('Independent programs list an archive of %s', async (name, entries) => {
  const path = await writeSparse(`${name}.zip`, entries)
  const expected = entries.map((entry) => [entry.name, entry.size])
  for (const [program, list] of Object.entries(readers))
    expect({ program, files: await list(path) }).toEqual({ program, files: expected })
  await rm(path)
})

test('Independent programs restore the times of files, in any time zone', async () => {
  const path = await writeSparse('times.zip', [
    entryOf('known-zone.jpg', 0),
    { ...entryOf('camera-clock.jpg', 0), modified: { local: '2026-05-01T18:30:00' } },
  ])
  const env = { ...process.env, TZ: 'America/New_York' }
  await run('unzip', ['-q', path, '-d', folder], { env })
  const { stdout } = await run(
    'stat',
    ['--format', '%Y', join(folder, 'known-zone.jpg'), join(folder, 'camera-clock.jpg')],
    { env },
  )
  const localTime = new Date('2026-05-01T18:30:00-04:00').getTime() / 1_000
  expect(stdout.trim().split('\n').map(Number)).toEqual([1_777_653_000, localTime])
})

test('The bytes of an archive do not change: a download that began before an upgrade can be resumed', async () => {
  const path = await writeSparse('fixed.zip', [
    entryOf('Anna/IMG_1.jpg', 3),
    { ...entryOf('Video.mp4', 0), modified: { local: '1979-05-01T18:30:00' } },
  ])
  expect((await readFile(path)).toString('hex')).toMatchInlineSnapshot(
    `"504b03040a0000080000c093a15c0000000003000000030000000e000900416e6e612f494d475f312e6a7067555405000108d5f469000000504b03040a00000800000000210000000000000000000000000009000000566964656f2e6d7034504b01022d030a0000080000c093a15c0000000003000000030000000e0009000000000000000000a48100000000416e6e612f494d475f312e6a7067555405000108d5f469504b01022d030a000008000000002100000000000000000000000000090000000000000000000000a48138000000566964656f2e6d7034504b050600000000020002007c0000005f0000000000"`,
  )
})
