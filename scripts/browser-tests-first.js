import TestSequencer from '@jest/test-sequencer'

/**
 * Without the durations of an earlier run, Jest begins with the largest files. The files that take longest are those that
 * use a browser, however short they are: with one of them at the end, one worker would wait minutes for the other.
 */
export default class BrowserTestsFirst extends TestSequencer {
  /** @override */
  sort(tests) {
    const isBrowserTest = ({ path }) => path.endsWith('.browser.test.ts')
    const sorted = super.sort(tests)
    return [...sorted.filter(isBrowserTest), ...sorted.filter((test) => !isBrowserTest(test))]
  }
}
