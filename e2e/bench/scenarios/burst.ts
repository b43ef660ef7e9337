import { makePhotos } from '../guest-files.ts'
import {
  contest,
  cpuPerByte,
  mediaAtWork,
  mediaPaused,
  p95,
  ratios,
  rowsOf,
  throughput,
  type Passes,
} from './contest.ts'
import type { Claim, Scenario } from './scenario.ts'

const RAMP_MS = 10_000

const claimsOf = (passes: Passes, who: string): Claim[] => {
  const cpuOfBare = cpuPerByte('server')
  const rounds = passes.get(who) ?? []
  return [
    {
      what: `${who}: throughput as a share of straight to blob storage`,
      values: ratios(passes, [who, throughput], ['straight to blob storage']),
      isRatio: true,
      wanted: { atLeast: 0.6 },
    },
    {
      what: `${who}: p95 to acknowledgement, times that of tus`,
      values: ratios(passes, [who, p95], ['tus to disk']),
      isRatio: true,
      wanted: { atMost: 1.25 },
    },
    ...(['gateway', 'uploads'] as const).map((service) => ({
      what: `${who}: processor time of ${service} for a byte, times that of Express and busboy`,
      values: ratios(passes, [who, cpuPerByte(service)], ['Express and busboy to disk', cpuOfBare]),
      isRatio: true,
      wanted: { atMost: 1.5 },
    })),
    { what: `${who}: files that failed`, values: rounds.map(({ failed }) => failed), wanted: { atMost: 0 } },
    {
      what: `${who}: answers 429`,
      values: rounds.map(({ refusals }) => refusals['429'] ?? 0),
      wanted: { atMost: 0 },
    },
  ]
}

/** `guests` who arrive within 10 s and send four files each. */
export const burst = (guests: number): Scenario => ({
  name: `burst-${guests}`,
  about: `${guests} guests arrive within 10 s; each sends 4 files, one after the other, as fast as they go.`,
  run: async (options) => {
    const crowd = { guests, filesEach: 4, rampMs: RAMP_MS, files: await makePhotos() }
    const { passes } = await contest(crowd, { ...options, withMedia: true })
    return {
      rows: rowsOf(passes),
      claims: [...claimsOf(passes, mediaPaused), ...claimsOf(passes, mediaAtWork)],
    }
  },
})
