import { setTimeout as pause } from 'node:timers/promises'

/** Polls a condition every 50 ms. Returns whether it became true before the timeout. */
export const waitUntil = async (
  condition: () => boolean | Promise<boolean>,
  timeoutSeconds: number,
): Promise<boolean> => {
  const deadline = performance.now() + timeoutSeconds * 1000
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await pause(50)
  }
  return true
}
