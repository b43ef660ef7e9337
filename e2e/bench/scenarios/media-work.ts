import { openTrial } from '../../trial/installation.ts'
import { openConnection } from '../connection.ts'
import { sendForm } from '../contenders/send-form.ts'
import { makeSamples } from '../guest-files.ts'
import { watchProcesses } from '../processes.ts'
import { startStage } from '../stage.ts'
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

/** How many files of each type a core of the media worker gets done in a minute. */
export const mediaWork: Scenario = {
  name: 'media',
  about: `${FILES} files of each type wait in the queue; then the media worker is started. Per core means per minute of processor time, that of its decoders included and its start not.`,
  run: async ({ rounds, profiles, say }) => {
    const stage = await startStage({ profiles })
    const api = stage.system.url('gateway')
    const [worker] = stage.system.replicas('media')
    if (!worker) throw new Error('No media worker')
    const connection = openConnection()
    const perMinute = new Map<string, number[]>(samples.map((name) => [name, []]))
    const peaks = new Map<string, number[]>(samples.map((name) => [name, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const name of round % 2 === 0 ? samples : samples.toReversed()) {
        const trial = await openTrial(api, name, stage.admin)
        const fields = { eventId: trial.event._id, photoCredit: 'Table 1' }
        for (const file of (await makeSamples(name))(FILES))
          await sendForm(connection, `${api}/api/uploads`, fields, file)
        await worker.restart()
        const stopWatch = watchProcesses({ media: [worker.pid()] })
        const uploads = await trial.whenProcessed()
        const { media } = stopWatch()
        await worker.stop()
        const ready = uploads.filter(({ status }) => status === 'ready').length
        if (ready < FILES) throw new Error(`${ready} of ${FILES} ${name} got their pictures`)
        perMinute.get(name)?.push((FILES / (media?.cpuSeconds ?? 1)) * 60)
        peaks.get(name)?.push((media?.peakBytes ?? 0) / MB)
      }
    say('  all types are done')
    connection.close()
    await stage.stop()
    return {
      rows: samples.map((name) => ({
        who: name,
        figures: {
          'per minute and core': perMinute.get(name) ?? [],
          'worker without decoders: peak MB': peaks.get(name) ?? [],
        },
      })),
      claims: [],
    }
  },
}
