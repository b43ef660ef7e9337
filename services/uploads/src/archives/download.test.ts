import type { IncomingMessage, ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { isUnavailable } from '@confetti/service-kit'
import { afterEach, expect, test } from '@jest/globals'
import { Registry } from 'prom-client'
import type { Deps } from '../deps.ts'
import { createDownload } from './download.ts'
import type { ArchiveEntry, CopiesOf } from './entries.ts'
import { measurePage } from './zip-layout.ts'

const entry: ArchiveEntry = {
  uploadId: 'a'.repeat(24),
  name: 'photo.jpg',
  size: 10,
  crc32: 0,
  modified: { local: '2026-06-12T20:00:00' },
}

const responses: Writable[] = []
afterEach(() => {
  for (const response of responses.splice(0)) response.destroy()
})

test('When guests read their archives slowly, then half of the places are left to members, who can take all', async () => {
  const download = createDownload({
    config: { MAX_ARCHIVE_DOWNLOADS: 5, ARCHIVE_BYTES_PER_SECOND: 1_000 },
    archives: { loadPage: () => Promise.resolve([entry]) },
    blobs: { readRange: () => new Promise(() => undefined) },
    registry: new Registry(),
  } as unknown as Deps)
  const pages = [measurePage([entry], 0)]
  /** Begins a download whose client reads nothing. Whether it is refused. */
  const isRefused = async (copies?: CopiesOf): Promise<boolean> => {
    const response = new Writable({ write: () => undefined })
    responses.push(response)
    const done = download(
      { archive: { pages, copies } as never, filename: 'photos.zip' },
      { method: 'GET', headers: {} } as IncomingMessage,
      Object.assign(response, { writeHead: () => undefined }) as unknown as ServerResponse,
    )
    const refused = done.then(
      () => false,
      (error: unknown) => isUnavailable(error),
    )
    return Promise.race([refused, turn(undefined).then(() => false)])
  }
  const guest = { isOwn: true }
  const outcomes: boolean[] = []
  for (const copies of [guest, guest, guest, guest, undefined, undefined, undefined])
    outcomes.push(await isRefused(copies))
  expect(outcomes).toEqual([false, false, false, true, false, false, true])
})
