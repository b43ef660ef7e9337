import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { serviceNames } from '@confetti/launcher'
import {
  injectFault,
  listOverlays,
  parseManifests,
  render,
  renderManifests,
  type Manifest,
} from './overlays.ts'
import { ofKind } from './references.ts'
import { root } from './run-tool.ts'
import { deployments } from './services.ts'

const MB = 1e6
const MIB = 2 ** 20
/** The share of the limit at which MemoryNearLimit fires. */
const ALERT_SHARE = 0.9

interface Sizing {
  peakBytes: number
  requestBytes: number
  limitBytes: number
}

/** The table under Sizing in docs/operations.md: the peak, request and limit of each kind of pod. */
const readSizingTable = (): Map<string, Sizing> => {
  const rows = readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(
    /^\| ([a-z]+) +\| ([\d,]+) MB.*?\| ([\d,]+) MiB +\| ([\d,]+) MiB +\|/gm,
  )
  const toNumber = (text = ''): number => Number(text.replace(',', ''))
  return new Map(
    [...rows].map(([, pod = '', peak, request, limit]) => [
      pod,
      {
        peakBytes: toNumber(peak) * MB,
        requestBytes: toNumber(request) * MIB,
        limitBytes: toNumber(limit) * MIB,
      },
    ]),
  )
}

/** The highest memory of each service in the newest result of each benchmark. */
const readBenchmarkPeaks = (): Map<string, number> => {
  const folder = join(root, 'docs/benchmarks')
  const newest = new Map(
    readdirSync(folder)
      .toSorted()
      .map((file) => [file.replace(/^\d{4}-\d\d-\d\d-/, ''), file]),
  )
  const peaks = new Map<string, number>()
  for (const file of newest.values()) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      result: { rows: { figures: Record<string, number[]> }[] }
    }
    for (const [figure, values] of result.rows.flatMap(({ figures }) => Object.entries(figures))) {
      const [, name = ''] = /^(.*): peak MB$/.exec(figure) ?? []
      peaks.set(name, Math.max(peaks.get(name) ?? 0, ...values.map((value) => value * MB)))
    }
  }
  return peaks
}

const parseQuantity = (quantity: string): number => {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? []
  if (!number) throw new Error(`${quantity} is not a number of Mi or Gi`)
  return Number(number) * (unit === 'Gi' ? 1_024 * MIB : MIB)
}

/** Deployments whose request or limit differs from the table, as `uploads requests 320Mi`. */
const sizingFaults = (manifests: readonly Manifest[], table: ReadonlyMap<string, Sizing>): string[] =>
  ofKind(manifests, 'Deployment').flatMap(({ metadata, spec }) => {
    const { requests, limits } = spec.template.spec.containers[0].resources as Record<
      'requests' | 'limits',
      { memory: string }
    >
    const isFrontend = metadata.labels?.['app.kubernetes.io/component'] === 'frontend'
    const sizing = table.get(isFrontend ? 'frontends' : metadata.name)
    return [
      ...(parseQuantity(requests.memory) === sizing?.requestBytes
        ? []
        : [`${metadata.name} requests ${requests.memory}`]),
      ...(parseQuantity(limits.memory) === sizing?.limitBytes
        ? []
        : [`${metadata.name} is limited to ${limits.memory}`]),
    ]
  })

test('The sizing table has a request of at least the measured peak of each pod, and a limit at which no alert fires', () => {
  const table = readSizingTable()
  expect([...table.keys()].toSorted()).toEqual([...deployments.keys(), 'frontends'].toSorted())
  const benchmarks = readBenchmarkPeaks()
  expect(benchmarks.size).toBeGreaterThan(5)
  // A new service has no result yet.
  for (const name of serviceNames) expect(benchmarks.get(name) ?? Infinity).toBeGreaterThan(100 * MB)
  const tooLow = [...table].filter(
    ([pod, { peakBytes, requestBytes, limitBytes }]) =>
      peakBytes < (benchmarks.get(pod) ?? 0) ||
      requestBytes < peakBytes ||
      limitBytes * ALERT_SHARE < peakBytes,
  )
  expect(tooLow).toEqual([])
})

test('In every overlay, memory requests and limits are those of the sizing table', async () => {
  const table = readSizingTable()
  for (const overlay of await listOverlays())
    expect(sizingFaults(await renderManifests(overlay), table)).toEqual([])
})

test('A request that differs from the sizing table is reported', async () => {
  const text = injectFault(await render('production'), 'memory: 16Mi', 'memory: 8Mi')
  expect(sizingFaults(parseManifests(text), readSizingTable())).toEqual([
    expect.stringMatching(/^[a-z]+-frontend[-\d]* requests 8Mi$/),
  ])
})
