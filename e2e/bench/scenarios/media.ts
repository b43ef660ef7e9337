import { bundleServices } from '../../bundle-services.ts'
import { createTestEvent } from '../../smoke/test-event.ts'
import { startBenchSystem } from '../bench-system.ts'
import { createFileFactory, createSampleFactory, type FileFactory } from '../guest-files.ts'
import { measureProcesses } from '../processes.ts'
import { newFormGuest } from '../targets/form-guest.ts'
import { MB } from '../units.ts'
import { createDisplayP3Photo, measureBaseline } from './media-baseline.ts'
import type { Scenario } from './scenario.ts'

const FILES = 8
const P3_PHOTO = '12 MP Display P3 JPEG'
const samples = [
  P3_PHOTO,
  'phone-jolla.jpg',
  'gradient.png',
  'photo.webp',
  'animated.gif',
  'iphone-13.heic',
  'video.mp4',
  'video.mov',
] as const

/** How many files of each type the media worker processes per minute of CPU time. */
export const media: Scenario = {
  name: 'media',
  description: `${FILES} files of each type, sent by one guest, wait in the queue; then the media worker is started, from its bundle. Per core means per minute of CPU time, including its decoders but not its start. The baseline decodes the same photos in one process that is warm.`,
  run: async ({ rounds, profiles, print }) => {
    await bundleServices()
    const photo = await createDisplayP3Photo()
    const benchSystem = await startBenchSystem({
      profiles,
      bundled: true,
      // Those that the videos of one round still wait for would be made beside the photos of the next one.
      environment: { media: { VIDEO_RENDITIONS: 'off' } },
    })
    const api = benchSystem.system.url('gateway')
    const [worker] = benchSystem.system.replicas('media')
    if (!worker) throw new Error('No media worker')
    const filesPerMinute = new Map<string, number[]>(samples.map((name) => [name, []]))
    const peakMegabytes = new Map<string, number[]>(samples.map((name) => [name, []]))
    const baselines = { jpeg: [] as number[], heic: [] as number[] }
    const createFactory = (name: (typeof samples)[number]): FileFactory | Promise<FileFactory> =>
      name === P3_PHOTO ? createFileFactory('jpg', photo) : createSampleFactory(name)
    for (let round = 0; round < rounds; round += 1) {
      for (const name of round % 2 === 0 ? samples : samples.toReversed()) {
        const testEvent = await createTestEvent(api, name, benchSystem.admin)
        const fields = { eventId: testEvent.event._id, photoCredit: 'Table 1' }
        const createFiles = await createFactory(name)
        const guest = newFormGuest(api, fields)
        for (const file of createFiles(FILES)) await guest.send(file)
        guest.close()
        await worker.restart()
        const readUsage = measureProcesses({ media: [worker.pid()] })
        const uploads = await testEvent.waitForProcessing()
        const usage = readUsage().media
        await worker.stop()
        const ready = uploads.filter(({ status }) => status === 'ready').length
        if (ready < FILES) throw new Error(`Only ${ready} of ${FILES} ${name} are ready`)
        filesPerMinute.get(name)?.push((FILES / (usage?.cpuSeconds ?? 1)) * 60)
        peakMegabytes.get(name)?.push((usage?.peakBytes ?? 0) / MB)
      }
      baselines.jpeg.push(await measureBaseline('jpeg', photo, FILES))
      baselines.heic.push(await measureBaseline('heic', photo, FILES))
    }
    print('  all types are processed')
    await benchSystem.stop()
    const shareOfBaseline = (name: string, baseline: readonly number[]): number[] =>
      (filesPerMinute.get(name) ?? []).map((value, round) => value / (baseline[round] ?? value))
    return {
      rows: [
        ...samples.map((name) => ({
          target: name,
          figures: {
            'per minute and core': filesPerMinute.get(name) ?? [],
            'worker without decoders: peak MB': peakMegabytes.get(name) ?? [],
          },
        })),
        { target: `baseline of ${P3_PHOTO}`, figures: { 'per minute and core': baselines.jpeg } },
        { target: 'baseline of iphone-13.heic', figures: { 'per minute and core': baselines.heic } },
      ],
      thresholds: [
        {
          metric: `${P3_PHOTO}: share of the baseline`,
          values: shareOfBaseline(P3_PHOTO, baselines.jpeg),
          isRatio: true,
          limit: { atLeast: 0.8 },
        },
        {
          metric: 'iphone-13.heic: share of the baseline',
          values: shareOfBaseline('iphone-13.heic', baselines.heic),
          isRatio: true,
          limit: { atLeast: 0.8 },
        },
      ],
    }
  },
}
