import { createTestEvent } from '../../smoke/test-event.ts'
import { startBenchSystem } from '../bench-system.ts'
import { openConnection } from '../connection.ts'
import { createSampleFactory } from '../guest-files.ts'
import { measureProcesses } from '../processes.ts'
import { sendForm } from '../targets/send-form.ts'
import { MB } from '../units.ts'
import type { Scenario } from './scenario.ts'

const FILES = 8
const samples = [
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
  description: `${FILES} files of each type wait in the queue; then the media worker is started. Per core means per minute of CPU time, including its decoders but not its start.`,
  run: async ({ rounds, profiles, print }) => {
    const benchSystem = await startBenchSystem({ profiles })
    const api = benchSystem.system.url('gateway')
    const [worker] = benchSystem.system.replicas('media')
    if (!worker) throw new Error('No media worker')
    const connection = openConnection()
    const filesPerMinute = new Map<string, number[]>(samples.map((name) => [name, []]))
    const peakMegabytes = new Map<string, number[]>(samples.map((name) => [name, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const name of round % 2 === 0 ? samples : samples.toReversed()) {
        const testEvent = await createTestEvent(api, name, benchSystem.admin)
        const fields = { eventId: testEvent.event._id, photoCredit: 'Table 1' }
        const createFiles = await createSampleFactory(name)
        for (const file of createFiles(FILES)) await sendForm(connection, `${api}/api/uploads`, fields, file)
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
    print('  all types are processed')
    connection.close()
    await benchSystem.stop()
    return {
      rows: samples.map((name) => ({
        target: name,
        figures: {
          'per minute and core': filesPerMinute.get(name) ?? [],
          'worker without decoders: peak MB': peakMegabytes.get(name) ?? [],
        },
      })),
      thresholds: [],
    }
  },
}
