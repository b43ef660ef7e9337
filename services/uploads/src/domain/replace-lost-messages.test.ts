import { isUnavailable } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { makeReplaceLostMessages } from './replace-lost-messages.ts'

test('When another replica replaces lost messages, then nothing is done, and the message is delayed without an attempt', async () => {
  const calls: string[] = []
  const record = (name: string) => () => {
    calls.push(name)
    return Promise.resolve() as Promise<never>
  }
  const replaceLostMessages = makeReplaceLostMessages({
    uploads: { markOverdue: record('mark'), markRenditionsOverdue: record('mark renditions') },
    requestOverdueProcessing: record('request'),
    requestOverdueRenditions: record('request renditions'),
    runAlone: () => Promise.resolve(false),
    clock: () => new Date(),
  })
  const error: unknown = await replaceLostMessages(new Date()).catch((thrown: unknown) => thrown)
  expect(isUnavailable(error)).toBe(true)
  expect(calls).toEqual([])
})
