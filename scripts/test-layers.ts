/** The layers of the tests, the cheapest first. A check stands in the lowest one that can show it. */
export const layers = ['unit', 'dom', 'simulation', 'service', 'process', 'browser', 'nightly'] as const
export type Layer = (typeof layers)[number]

/** Whether its files run against backends. */
export const usesBackends = (layer: Layer): boolean => !['unit', 'dom', 'simulation'].includes(layer)

/** How many files run at once: on two cores, each waits a third of its time for backends, browsers and timers. */
export const WORKERS = 3

/** Longer than the time limit of `eventually`, whose error names the condition that was not met. */
export const TEST_TIMEOUT_MS = 180_000

/** A file name that names no layer. */
const PLAIN = '[^/.]+\\.test\\.ts'

/** The test files of each layer: regular expressions for their whole path in the repository. */
const patterns: Readonly<Record<Layer, string>> = {
  unit: `(?:scripts|.*/src)/(?:.*/)?${PLAIN}`,
  dom: '.*\\.(?:dom\\.test\\.ts|test\\.tsx)',
  simulation: `simulation/${PLAIN}`,
  service: `(?:gateway|services/[^/]+|libs/(?:messaging|service-kit|test-kit))/test/${PLAIN}`,
  process: `.*\\.process\\.test\\.ts|(?:e2e|ops|libs/backends)/(?:.*/)?${PLAIN}`,
  browser: '.*\\.browser\\.test\\.ts',
  nightly: '.*\\.nightly\\.test\\.ts',
}

/** The layer of a test file, by its path in the repository with slashes. Throws if it belongs to none or to several. */
export const layerOf = (path: string): Layer => {
  const found = layers.filter((layer) => new RegExp(`^(?:${patterns[layer]})$`).test(path))
  const [layer, ...others] = found
  if (!layer || others.length > 0)
    throw new Error(`${path} belongs to ${found.length === 0 ? 'no layer' : found.join(' and ')}`)
  return layer
}

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The beginning of the path of code that runs in browsers. Its unit tests set what a browser has, such as `navigator`. */
const BROWSER_CODE = '(?:frontends|libs/(?:album|api-client|federation|guest-storage|i18n|session|ui))/'

/**
 * The regular expression for the absolute paths of a layer's files, for Jest: of those that test what runs in browsers, in
 * Node, or in either.
 */
export const testRegexOf = (root: string, layer: Layer, part?: 'browser' | 'node'): string => {
  const begin = part === undefined ? '' : part === 'browser' ? `(?=${BROWSER_CODE})` : `(?!${BROWSER_CODE})`
  return `^${escapeRegExp(root.replace(/\/$/, ''))}/${begin}(?:${patterns[layer]})$`
}
