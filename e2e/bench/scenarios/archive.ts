import { setTimeout as sleep } from 'node:timers/promises'
import { ensurePrograms } from '@confetti/backends'
import type { Archive, Upload } from '@confetti/contracts'
import { createTestEvent, type TestEvent } from '../../smoke/test-event.ts'
import { startBenchSystem, type BenchSystem } from '../bench-system.ts'
import { createPhotoFactory } from '../guest-files.ts'
import { startNginx } from '../nginx.ts'
import { measureProcesses, residentBytes, type Usage } from '../processes.ts'
import { sendAll } from '../send-all.ts'
import { signIn } from '../sign-in.ts'
import { GB, MB } from '../units.ts'
import type { Scenario } from './scenario.ts'

const UPLOADS = 10_000
/** A download of all is measured by its first part; reading all takes minutes. */
const MEASURED_BYTES = 1.5 * GB
const PARALLEL_DOWNLOADS = 10

/** Reads a response without keeping it. Returns the number of its bytes, and when the first of them arrived. */
const read = async (url: string, headers: Record<string, string> = {}) => {
  const startedAt = performance.now()
  const response = await fetch(url, { headers })
  if (!response.ok || !response.body) throw new Error(`GET ${url} returned ${response.status}`)
  let bytes = 0
  let firstByteMs = 0
  for await (const chunk of response.body) {
    firstByteMs ||= performance.now() - startedAt
    bytes += chunk.length
  }
  return { bytes, firstByteMs }
}

interface Measured {
  bytes: number
  seconds: number
  usage: Record<string, Usage>
}

const measure = async (
  pids: Readonly<Record<string, readonly number[]>>,
  work: () => Promise<number>,
): Promise<Measured> => {
  const readUsage = measureProcesses(pids)
  const startedAt = performance.now()
  const bytes = await work()
  return { bytes, seconds: (performance.now() - startedAt) / 1_000, usage: readUsage() }
}

/** Asks for an archive until all checksums have been computed: no media worker has done so. */
const createArchive = async (
  api: string,
  { event }: TestEvent,
  headers: Record<string, string>,
): Promise<Archive> => {
  for (;;) {
    const url = `${api}/api/myevents/uploads/${event._id}/archives`
    const response = await fetch(url, { method: 'POST', headers, body: '{}' })
    if (response.status === 201) return (await response.json()) as Archive
    if (response.status !== 503) throw new Error(`${response.status}: ${await response.text()}`)
    await sleep(Number(response.headers.get('retry-after')) * 1_000)
  }
}

/** Links to originals of about `bytes` altogether. */
const listOriginals = async (
  api: string,
  { event }: TestEvent,
  { headers, bytes }: { headers: Record<string, string>; bytes: number },
): Promise<string[]> => {
  const links: string[] = []
  let total = 0
  let after = ''
  while (total < bytes) {
    const url = `${api}/api/myevents/uploads/${event._id}?limit=1000${after}`
    const page = (await (await fetch(url, { headers })).json()) as { uploads: Upload[]; nextCursor: string }
    for (const upload of page.uploads) {
      if (total >= bytes) break
      links.push(upload.url)
      total += upload.size
    }
    after = `&after=${page.nextCursor}`
  }
  return links
}

const readOneByOne = async (links: readonly string[]): Promise<number> => {
  let bytes = 0
  for (const link of links) bytes += (await read(link)).bytes
  return bytes
}

const throughput = ({ bytes, seconds }: Measured): number => bytes / MB / seconds
const cpuPerGb = ({ bytes, usage }: Measured): number =>
  Object.values(usage).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) / (bytes / GB)

const prepare = async (benchSystem: BenchSystem, print: (line: string) => void) => {
  const api = benchSystem.system.url('gateway')
  const testEvent = await createTestEvent(api, '10,000 uploads', benchSystem.admin)
  const createPhotos = await createPhotoFactory({ maxBytes: 1 * MB })
  await sendAll(api, testEvent, createPhotos(UPLOADS))
  print(`  ${UPLOADS} uploads are stored`)
  const headers = await signIn(api, testEvent.organiserCredentials)
  const archive = await createArchive(api, testEvent, headers)
  print(`  the archive has ${(archive.bytes / GB).toFixed(1)} GB`)
  return { api, testEvent, headers, archive }
}

/** Downloads the archive of an event with 10,000 uploads. */
export const archive: Scenario = {
  name: 'archive',
  description: `An archive of ${UPLOADS} photos: its first ${MEASURED_BYTES / GB} GB by one client and by ${PARALLEL_DOWNLOADS}, compared with reading as many originals from blob storage one after the other, and with nginx sending a file.`,
  run: async ({ rounds, profiles, print }) => {
    await ensurePrograms([{ program: 'nginx', debianPackage: 'nginx-light' }], print)
    const benchSystem = await startBenchSystem({ profiles })
    const { system } = benchSystem
    const { api, testEvent, headers, archive: created } = await prepare(benchSystem, print)
    const nginx = await startNginx(MEASURED_BYTES)
    const pidsOf = (name: 'gateway' | 'uploads') => system.replicas(name).map((service) => service.pid())
    const readPart = async (start: number, bytes: number): Promise<number> =>
      (await read(created.url, { Range: `bytes=${start}-${start + bytes - 1}` })).bytes

    const one: Measured[] = []
    const many: Measured[] = []
    const originals: Measured[] = []
    const files: Measured[] = []
    const firstByteMs: number[] = []
    const lastByteMs: number[] = []
    const growthMb = { one: [] as number[], many: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      // What former work has left in memory is not measured.
      for (const service of [...system.replicas('gateway'), ...system.replicas('uploads')]) {
        await service.stop()
        await service.restart()
      }
      const services = { gateway: pidsOf('gateway'), uploads: pidsOf('uploads') }
      const idleBytes = residentBytes(services.uploads)
      const growthOf = ({ usage }: Measured): number => ((usage.uploads?.peakBytes ?? 0) - idleBytes) / MB
      const measureArchive = async (): Promise<void> => {
        const alone = await measure(services, () => readPart(0, MEASURED_BYTES))
        const part = MEASURED_BYTES / PARALLEL_DOWNLOADS
        const together = await measure(services, async () => {
          const indexes = Array.from({ length: PARALLEL_DOWNLOADS }, (_, index) => index)
          const parts = await Promise.all(indexes.map((index) => readPart(index * part, part)))
          return parts.reduce((sum, bytes) => sum + bytes, 0)
        })
        one.push(alone)
        many.push(together)
        growthMb.one.push(growthOf(alone))
        growthMb.many.push(growthOf(together))
      }
      // Links live some minutes.
      const links = await listOriginals(api, testEvent, { headers, bytes: MEASURED_BYTES })
      const steps = [
        measureArchive,
        async () => originals.push(await measure({}, () => readOneByOne(links))),
        async () =>
          files.push(await measure({ nginx: [nginx.pid] }, async () => (await read(nginx.url)).bytes)),
      ]
      for (const step of round % 2 === 0 ? steps : steps.toReversed()) await step()
      firstByteMs.push((await read(created.url, { Range: 'bytes=0-0' })).firstByteMs)
      lastByteMs.push((await read(created.url, { Range: 'bytes=-1' })).firstByteMs)
      print(`  round ${round + 1}: ${one.map((each) => throughput(each).toFixed(0)).at(-1)} MB/s`)
    }
    await nginx.stop()
    await benchSystem.stop()

    const rowOf = (target: string, measured: readonly Measured[]) => ({
      target,
      figures: { 'MB/s': measured.map(throughput), 'CPU s/GB': measured.map(cpuPerGb) },
    })
    return {
      rows: [
        rowOf('archive, one client', one),
        rowOf(`archive, ${PARALLEL_DOWNLOADS} clients`, many),
        rowOf('originals one after the other', originals),
        rowOf('nginx, one file', files),
        { target: 'first byte', figures: { 'first byte ms': firstByteMs, 'last byte ms': lastByteMs } },
      ],
      thresholds: [
        {
          metric: 'Throughput, times that of reading originals one after the other',
          values: one.map((each, round) => throughput(each) / throughput(originals[round] ?? each)),
          isRatio: true,
          limit: { atLeast: 0.8 },
        },
        {
          metric: 'Growth of the uploads service above idle with 1 client, in MB',
          values: growthMb.one,
          limit: { atMost: 64 },
        },
        {
          metric: `Growth of the uploads service above idle with ${PARALLEL_DOWNLOADS} clients, in MB`,
          values: growthMb.many,
          limit: { atMost: 160 },
        },
        { metric: 'Time to the first byte, in ms', values: firstByteMs, limit: { atMost: 1_000 } },
        { metric: 'Time to the last byte alone, in ms', values: lastByteMs, limit: { atMost: 1_000 } },
      ],
    }
  },
}
