import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until the condition holds; false when it did not within the given seconds. */
export const until = async (
  condition: () => boolean | Promise<boolean>,
  seconds: number,
): Promise<boolean> => {
  const deadline = performance.now() + seconds * 1000
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await pause(50)
  }
  return true
}
