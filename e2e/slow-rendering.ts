import type { Page } from 'playwright-core'

const DELAY_MS = 400

/**
 * Delays what React does in the next pages of `page` other than answering the user, above all its effects, as on a phone
 * that is busy: its scheduler posts a message to itself for each task.
 */
export const slowDownRendering = (page: Page): Promise<unknown> =>
  page.addInitScript((delayMs) => {
    const post = Reflect.get(MessagePort.prototype, 'postMessage') as (...values: unknown[]) => void
    MessagePort.prototype.postMessage = function (this: MessagePort, ...values: unknown[]) {
      setTimeout(() => post.apply(this, values), delayMs)
    }
  }, DELAY_MS)
