import { startBenchSystem } from '../bench-system.ts'
import { runWorkload, type RunResult, type Workload } from '../run-workload.ts'
import { percentile } from '../statistics.ts'
import { confettiTarget } from '../targets/confetti.ts'
import { startDirectToBlob } from '../targets/direct-to-blob.ts'
import { startExpressBusboy } from '../targets/express-busboy.ts'
import type { Target } from '../targets/target.ts'
import { startTus } from '../targets/tus.ts'
import { GB, MB } from '../units.ts'
import type { Figures, Options, Result } from './scenario.ts'

const figuresOf = ({ files, bytes, seconds, acknowledgedMs, rejections, failed, usage }: RunResult) => ({
  'uploads/s': files / seconds,
  'MB/s': bytes / MB / seconds,
  'p50 ms': percentile(acknowledgedMs, 0.5),
  'p95 ms': percentile(acknowledgedMs, 0.95),
  'p99 ms': percentile(acknowledgedMs, 0.99),
  rejected: Object.values(rejections).reduce((sum, count) => sum + count, 0),
  ...Object.fromEntries(Object.entries(rejections).map(([status, count]) => [`rejected ${status}`, count])),
  failed,
  ...Object.fromEntries(
    Object.entries(usage).flatMap(([name, { cpuSeconds, peakBytes }]) => [
      [`${name}: CPU s/GB`, cpuSeconds / (bytes / GB)],
      [`${name}: peak MB`, peakBytes / MB],
    ]),
  ),
})

/** The results of each target, one for each round. */
export type ResultsByTarget = Map<string, RunResult[]>

/** The rows of a report on `results`. */
export const rowsOf = (results: ResultsByTarget): Result['rows'] =>
  [...results].map(([target, rounds]) => {
    const figuresByRound = rounds.map((result): Record<string, number> => figuresOf(result))
    const names = new Set(figuresByRound.flatMap((figures) => Object.keys(figures)))
    return {
      target,
      figures: Object.fromEntries(
        [...names].map((name) => [name, figuresByRound.map((figures) => figures[name] ?? 0)]),
      ),
    }
  })

/** A figure of one target divided by a figure of another, the same unless given, for each round. */
export const ratios = (
  results: ResultsByTarget,
  [target, figure]: [target: string, figure: (result: RunResult) => number],
  [baseline, baselineFigure = figure]: [baseline: string, figure?: (result: RunResult) => number],
): Figures => {
  const baselineResults = results.get(baseline) ?? []
  return (results.get(target) ?? []).map((result, round) => {
    const baselineResult = baselineResults[round]
    if (!baselineResult) throw new Error(`${baseline} has no round ${round}`)
    return figure(result) / baselineFigure(baselineResult)
  })
}

export const cpuPerByte =
  (process: string) =>
  ({ usage, bytes }: RunResult): number =>
    (usage[process]?.cpuSeconds ?? 0) / bytes
export const throughput = ({ bytes, seconds }: RunResult): number => bytes / seconds
export const p95 = ({ acknowledgedMs }: RunResult): number => percentile(acknowledgedMs, 0.95)

export const mediaPaused = 'Confetti, media paused'
export const mediaRunning = 'Confetti, media running'
export const directMediaPaused = 'Confetti direct, media paused'
export const directMediaRunning = 'Confetti direct, media running'
export const directToBlob = 'direct to blob storage'
/** As many files of a guest at once as on the direct path. */
export const directToBlobParallel = 'direct to blob storage, three files at once'

export interface Comparison {
  results: ResultsByTarget
  /** Resident memory of the uploads service before the first request, for each round, by target. */
  uploadsIdleBytes: ReadonlyMap<string, number[]>
}

/** How many guests send how many files each before a target is measured. */
interface WarmUp {
  guests: number
  filesPerGuest: number
}

/**
 * Runs the same workload against each target in turn, after a warm-up, as code is slow when it runs for the first time. Every
 * second round has the reverse order (A B B A), so that changes over time do not favour one target. Each run has servers of
 * its own: blob storage slows down as it fills.
 */
export const compareTargets = async (
  workload: Workload,
  { withMedia, warmUp, rounds, profiles, print }: Options & { withMedia: boolean; warmUp: WarmUp },
): Promise<Comparison> => {
  const results: ResultsByTarget = new Map()
  const uploadsIdleBytes = new Map<string, number[]>()
  const startConfetti =
    (name: string, options: Parameters<typeof confettiTarget>[2]) => async (): Promise<Target> => {
      const benchSystem = await startBenchSystem({ profiles })
      uploadsIdleBytes.set(name, [...(uploadsIdleBytes.get(name) ?? []), benchSystem.idleBytes('uploads')])
      return confettiTarget(name, benchSystem, options)
    }
  const starts = [
    startConfetti(mediaPaused, { withMedia: false }),
    startConfetti(directMediaPaused, { withMedia: false, path: 'direct' }),
    ...(withMedia
      ? [
          startConfetti(mediaRunning, { withMedia: true }),
          startConfetti(directMediaRunning, { withMedia: true, path: 'direct' }),
        ]
      : []),
    () => startDirectToBlob(directToBlob, 1),
    ...(workload.filesPerGuest > 1 ? [() => startDirectToBlob(directToBlobParallel, 3)] : []),
    startTus,
    startExpressBusboy,
  ]

  for (let round = 0; round < rounds; round += 1)
    for (const start of round % 2 === 0 ? starts : starts.toReversed()) {
      const target = await start()
      await runWorkload(target, { ...workload, ...warmUp, rampMs: 0 })
      const result = await runWorkload(target, workload)
      results.set(target.name, [...(results.get(target.name) ?? []), result])
      print(`  round ${round + 1}, ${target.name}: ${(throughput(result) / MB).toFixed(1)} MB/s`)
      await target.stop()
    }
  return { results, uploadsIdleBytes }
}
