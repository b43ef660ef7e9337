import { createPhotoFactory } from '../guest-files.ts'
import type { RunResult } from '../run-workload.ts'
import {
  compareTargets,
  cpuPerByte,
  directMediaPaused,
  directMediaRunning,
  directToBlob,
  directToBlobParallel,
  mediaPaused,
  mediaRunning,
  p95,
  ratios,
  rowsOf,
  throughput,
  type ResultsByTarget,
} from './compare-targets.ts'
import type { Scenario, Threshold } from './scenario.ts'

const RAMP_MS = 10_000
/** Enough for V8 to optimize the code that runs often. */
const WARM_UP = { guests: 50, filesPerGuest: 8 }

const thresholdsOf = (results: ResultsByTarget, target: string): Threshold[] => {
  const rounds = results.get(target) ?? []
  return [
    {
      metric: `${target}: throughput as a share of direct to blob storage`,
      values: ratios(results, [target, throughput], [directToBlob]),
      isRatio: true,
      limit: { atLeast: 0.6 },
    },
    {
      metric: `${target}: p95 to acknowledgement, times that of tus`,
      values: ratios(results, [target, p95], ['tus to disk']),
      isRatio: true,
      limit: { atMost: 1.25 },
    },
    ...(['gateway', 'uploads'] as const).map((service) => ({
      metric: `${target}: CPU time of ${service} per byte, times that of Express and busboy`,
      values: ratios(
        results,
        [target, cpuPerByte(service)],
        ['Express and busboy to disk', cpuPerByte('server')],
      ),
      isRatio: true,
      limit: { atMost: 1.5 },
    })),
    {
      metric: `${target}: files that failed`,
      values: rounds.map(({ failed }) => failed),
      limit: { atMost: 0 },
    },
    {
      metric: `${target}: responses 429`,
      values: rounds.map(({ rejections }) => rejections['429'] ?? 0),
      limit: { atMost: 0 },
    },
  ]
}

const cpuMsPerFile = ({ usage, files }: RunResult): number =>
  (((usage.gateway?.cpuSeconds ?? 0) + (usage.uploads?.cpuSeconds ?? 0)) * 1_000) / files

const directThresholdsOf = (results: ResultsByTarget, target: string): Threshold[] => {
  const rounds = results.get(target) ?? []
  return [
    {
      metric: `${target}: throughput as a share of direct to blob storage, three files at once`,
      values: ratios(results, [target, throughput], [directToBlobParallel]),
      isRatio: true,
      limit: { atLeast: 0.6 },
    },
    {
      metric: `${target}: p95 to acknowledgement, times that of direct to blob storage, three files at once`,
      values: ratios(results, [target, p95], [directToBlobParallel]),
      isRatio: true,
      limit: { atMost: 1.5 },
    },
    {
      metric: `${target}: CPU time of gateway and uploads together, in ms a file`,
      values: rounds.map(cpuMsPerFile),
      limit: { atMost: 3 },
    },
    {
      metric: `${target}: files that failed`,
      values: rounds.map(({ failed }) => failed),
      limit: { atMost: 0 },
    },
    {
      metric: `${target}: responses 429 and 503`,
      values: rounds.map(({ rejections }) => (rejections['429'] ?? 0) + (rejections['503'] ?? 0)),
      limit: { atMost: 0 },
    },
  ]
}

/** `guests` guests arrive within 10 s and send four files each. */
export const burst = (guests: number): Scenario => ({
  name: `burst-${guests}`,
  description: `${guests} guests arrive within 10 s; each sends 4 files without pauses, one after the other or, straight to blob storage as the page does, three at once.`,
  run: async (options) => {
    const createFiles = await createPhotoFactory()
    const workload = { guests, filesPerGuest: 4, rampMs: RAMP_MS, createFiles }
    const { results } = await compareTargets(workload, { ...options, withMedia: true, warmUp: WARM_UP })
    return {
      rows: rowsOf(results),
      thresholds: [
        ...thresholdsOf(results, mediaPaused),
        ...thresholdsOf(results, mediaRunning),
        ...directThresholdsOf(results, directMediaPaused),
        ...directThresholdsOf(results, directMediaRunning),
      ],
    }
  },
})
