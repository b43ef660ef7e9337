import type { Page } from 'playwright-core'

/** Lets the timers of `timerMs` in the next pages take an hour, so that no slow step of a test is too late for them. */
export const lengthenTimers = (page: Page, timerMs: number): Promise<unknown> =>
  page.addInitScript((lengthened) => {
    const start = window.setTimeout.bind(window)
    window.setTimeout = ((handler: () => void, ms?: number) =>
      start(handler, ms === lengthened ? 3_600_000 : ms)) as typeof window.setTimeout
  }, timerMs)
