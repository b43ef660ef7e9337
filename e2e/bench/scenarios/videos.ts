import { makeVideos } from '../guest-files.ts'
import { MB } from '../units.ts'
import { contest, mediaPaused, ratios, rowsOf, throughput } from './contest.ts'
import type { Scenario } from './scenario.ts'

// MEMORY_CEILING_BYTES of the uploads service, unless configured.
const CEILING_MB = 369_098_752 / MB

/** Twenty guests who each send a video of 100 MB at once. */
export const videos: Scenario = {
  name: 'videos',
  about: '20 guests come at once; each sends one video of 100 MB.',
  run: async (options) => {
    const crowd = { guests: 20, filesEach: 1, rampMs: 0, files: await makeVideos(100 * MB) }
    const { passes, uploadsIdleBytes } = await contest(crowd, { ...options, withMedia: false })
    const ours = passes.get(mediaPaused) ?? []
    return {
      rows: rowsOf(passes),
      claims: [
        {
          what: `${mediaPaused}: growth of the uploads service above idle in MB; its configured ceiling is ${CEILING_MB.toFixed(0)}`,
          values: ours.map(
            ({ used }, round) => (used.uploads?.peakBytes ?? 0) / MB - (uploadsIdleBytes[round] ?? 0) / MB,
          ),
          wanted: { atMost: CEILING_MB },
        },
        {
          what: `${mediaPaused}: throughput as a share of straight to blob storage`,
          values: ratios(passes, [mediaPaused, throughput], ['straight to blob storage']),
          isRatio: true,
          wanted: { atLeast: 0.6 },
        },
        { what: 'Files that failed', values: ours.map(({ failed }) => failed), wanted: { atMost: 0 } },
      ],
    }
  },
}
