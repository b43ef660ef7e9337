import TestSequencer from '@jest/test-sequencer'

const isBrowserTest = ({ path }) => /\.browser\.test\.ts$/.test(path)

/**
 * Without the durations of an earlier run, as in a fresh clone, Jest begins with the largest files. Here it begins with
 * those that use a browser, which take longest, however short they are: with one of them at the end, one worker would
 * wait minutes for the other.
 */
export default class BrowserTestsFirst extends TestSequencer {
  /** @override */
  sort(tests) {
    const sorted = super.sort(tests)
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted
    return [...sorted.filter(isBrowserTest), ...sorted.filter((test) => !isBrowserTest(test))]
  }
}
