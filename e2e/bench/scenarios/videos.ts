import { createVideoFactory } from '../guest-files.ts'
import { MB } from '../units.ts'
import {
  compareTargets,
  directMediaPaused,
  directToBlob,
  mediaPaused,
  ratios,
  rowsOf,
  throughput,
} from './compare-targets.ts'
import type { Scenario } from './scenario.ts'

// The default MEMORY_LIMIT_BYTES of the uploads service.
const MEMORY_LIMIT_MB = 369_098_752 / MB

/** 20 guests each send a video of 100 MB at once. */
export const videos: Scenario = {
  name: 'videos',
  description: '20 guests arrive at once; each sends one video of 100 MB.',
  run: async (options) => {
    const createFiles = await createVideoFactory(100 * MB)
    const workload = { guests: 20, filesPerGuest: 1, rampMs: 0, createFiles }
    const { results, uploadsIdleBytes } = await compareTargets(workload, {
      ...options,
      withMedia: false,
      warmUp: { guests: 10, filesPerGuest: 1 },
    })
    const rounds = results.get(mediaPaused) ?? []
    return {
      rows: rowsOf(results),
      thresholds: [
        {
          metric: `${mediaPaused}: growth of the uploads service above idle in MB; its configured limit is ${MEMORY_LIMIT_MB.toFixed(0)}`,
          values: rounds.map(
            ({ usage }, round) =>
              (usage.uploads?.peakBytes ?? 0) / MB - (uploadsIdleBytes.get(mediaPaused)?.[round] ?? 0) / MB,
          ),
          limit: { atMost: MEMORY_LIMIT_MB },
        },
        {
          metric: `${mediaPaused}: throughput as a share of direct to blob storage`,
          values: ratios(results, [mediaPaused, throughput], [directToBlob]),
          isRatio: true,
          limit: { atLeast: 0.6 },
        },
        {
          metric: `${directMediaPaused}: throughput as a share of direct to blob storage`,
          values: ratios(results, [directMediaPaused, throughput], [directToBlob]),
          isRatio: true,
          limit: { atLeast: 0.9 },
        },
        {
          metric: `${directMediaPaused}: growth of the uploads service above idle in MB`,
          values: (results.get(directMediaPaused) ?? []).map(
            ({ usage }, round) =>
              ((usage.uploads?.peakBytes ?? 0) - (uploadsIdleBytes.get(directMediaPaused)?.[round] ?? 0)) /
              MB,
          ),
          limit: { atMost: 20 },
        },
        {
          metric: 'Files that failed',
          values: [...rounds, ...(results.get(directMediaPaused) ?? [])].map(({ failed }) => failed),
          limit: { atMost: 0 },
        },
      ],
    }
  },
}
