import type { Contender } from '../contenders/contender.ts'
import { confetti } from '../contenders/confetti.ts'
import { startBare } from '../contenders/bare.ts'
import { startStraightToBlob } from '../contenders/straight-to-blob.ts'
import { startTus } from '../contenders/tus.ts'
import { runCrowd, type Crowd, type Pass } from '../crowd.ts'
import { startStage } from '../stage.ts'
import { percentile } from '../statistics.ts'
import { GB, MB } from '../units.ts'
import type { Figures, Options, Result } from './scenario.ts'

const figuresOf = ({ files, bytes, seconds, acknowledgedMs, refusals, failed, used }: Pass) => ({
  'uploads/s': files / seconds,
  'MB/s': bytes / MB / seconds,
  'p50 ms': percentile(acknowledgedMs, 0.5),
  'p95 ms': percentile(acknowledgedMs, 0.95),
  'p99 ms': percentile(acknowledgedMs, 0.99),
  refused: Object.values(refusals).reduce((sum, times) => sum + times, 0),
  ...Object.fromEntries(Object.entries(refusals).map(([status, times]) => [`refused ${status}`, times])),
  failed,
  ...Object.fromEntries(
    Object.entries(used).flatMap(([name, { cpuSeconds, peakBytes }]) => [
      [`${name}: CPU s/GB`, cpuSeconds / (bytes / GB)],
      [`${name}: peak MB`, peakBytes / MB],
    ]),
  ),
})

/** What each contender's passes were, round by round. */
export type Passes = Map<string, Pass[]>

/** The figures of `passes` as a report shows them. */
export const rowsOf = (passes: Passes): Result['rows'] =>
  [...passes].map(([who, rounds]) => {
    const each = rounds.map((pass): Record<string, number> => figuresOf(pass))
    const names = new Set(each.flatMap((figures) => Object.keys(figures)))
    return {
      who,
      figures: Object.fromEntries(
        [...names].map((name) => [name, each.map((figures) => figures[name] ?? 0)]),
      ),
    }
  })

/** A figure of one contender as a share of a figure of another, round by round. */
export const ratios = (
  passes: Passes,
  [who, figure]: [who: string, figure: (pass: Pass) => number],
  [other, otherFigure = figure]: [other: string, figure?: (pass: Pass) => number],
): Figures => {
  const others = passes.get(other) ?? []
  return (passes.get(who) ?? []).map((pass, round) => {
    const against = others[round]
    if (!against) throw new Error(`${other} has no round ${round}`)
    return figure(pass) / otherFigure(against)
  })
}

export const cpuPerByte =
  (process: string) =>
  ({ used, bytes }: Pass): number =>
    (used[process]?.cpuSeconds ?? 0) / bytes
export const throughput = ({ bytes, seconds }: Pass): number => bytes / seconds
export const p95 = ({ acknowledgedMs }: Pass): number => percentile(acknowledgedMs, 0.95)

export const mediaPaused = 'Confetti, media paused'
export const mediaAtWork = 'Confetti, media at work'

export interface Contest {
  passes: Passes
  /** Resident memory of our uploads service before anybody came, round by round. */
  uploadsIdleBytes: number[]
}

/**
 * Lets the same crowd come to each contender in turn, in each round the other way round (A B B A), so that what
 * changes with time does not favour one. Each has servers of its own, which end with its pass: blob storage is the
 * slower the more lies in it.
 */
export const contest = async (
  crowd: Crowd,
  { withMedia, rounds, profiles, say }: Options & { withMedia: boolean },
): Promise<Contest> => {
  const passes: Passes = new Map()
  const uploadsIdleBytes: number[] = []
  const startPaused = async (): Promise<Contender> => {
    const stage = await startStage({ profiles })
    uploadsIdleBytes.push(stage.idleBytes('uploads'))
    return confetti(mediaPaused, stage, { media: false })
  }
  const startAtWork = async (): Promise<Contender> =>
    confetti(mediaAtWork, await startStage({ profiles }), { media: true })
  const starts = [startPaused, ...(withMedia ? [startAtWork] : []), startStraightToBlob, startTus, startBare]

  for (let round = 0; round < rounds; round += 1)
    for (const start of round % 2 === 0 ? starts : starts.toReversed()) {
      const contender = await start()
      // Code that has not run yet is slow; it gets a few files beforehand.
      const few = { guests: Math.min(crowd.guests, 10), filesEach: Math.min(crowd.filesEach, 2) }
      await runCrowd(contender, { ...crowd, ...few, rampMs: 0 })
      const pass = await runCrowd(contender, crowd)
      passes.set(contender.name, [...(passes.get(contender.name) ?? []), pass])
      say(`  round ${round + 1}, ${contender.name}: ${(throughput(pass) / MB).toFixed(1)} MB/s`)
      await contender.stop()
    }
  return { passes, uploadsIdleBytes }
}
