import { layerOf, layers, WORKERS } from './test-layers.ts'

/** A test file that has run: its path in the repository, and how long it took. */
export interface FinishedFile {
  path: string
  seconds: number
}

const SLOWEST = 10

/** A text with the time that each layer took, summed over its files, and the slowest files. */
export const formatTestTimes = (files: readonly FinishedFile[]): string => {
  const format = (seconds: number): string => `${Math.round(seconds)} s`.padStart(8)
  const sum = (some: readonly FinishedFile[]): number =>
    some.reduce((total, { seconds }) => total + seconds, 0)
  const lines = layers.flatMap((layer) => {
    const ofLayer = files.filter(({ path }) => layerOf(path) === layer)
    return ofLayer.length > 0 ? [`${format(sum(ofLayer))}  ${layer}, ${ofLayer.length} files`] : []
  })
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  return [
    `Time of the test files, of which ${WORKERS} run at once:`,
    ...lines,
    'The slowest files:',
    ...slowest.map(({ path, seconds }) => `${format(seconds)}  ${path}`),
  ].join('\n')
}
