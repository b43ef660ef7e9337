import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { createFollowing } from './following.ts'
import type { CloseReason, Stream } from './stream.ts'

/** Streams, each with a token that is in the state of this name, of an event that is never found. */
const openStreams = (...opened: Pick<Stream, 'authorization' | 'credentials'>[]) => {
  const ended: [authorization: string | undefined, reason: CloseReason][] = []
  const asked = Promise.withResolvers<undefined>()
  const { recheckTokens, recheckAudiences } = createFollowing({
    streams: {
      all: () =>
        opened.map((stream) => ({
          ...stream,
          eventId: 'e'.repeat(24),
          audience: stream.credentials.principal ? 'member' : 'wall',
          end: (reason: CloseReason) => void ended.push([stream.authorization, reason]),
        })),
    },
    events: {
      find: () => {
        asked.resolve(undefined)
        return new Promise(() => undefined)
      },
    },
    verifyToken: (state: string) => Promise.resolve({ state }),
    logger: createLogger('test', 'fatal'),
  } as never)
  return {
    /** What the check of tokens ends while the events service, which was asked before, does not answer. */
    recheck: async () => {
      void recheckAudiences()
      await asked.promise
      await recheckTokens()
      return ended
    },
  }
}
const ofMember = { principal: { userId: 'u'.repeat(24), role: 'admin' } } as const

test.each(['expired', 'invalid'])(
  'When the token of a member is %s, then the stream ends, also while the events service does not answer',
  async (state) => {
    const streams = openStreams(
      { authorization: 'valid', credentials: ofMember as never },
      { authorization: state, credentials: ofMember as never },
    )
    expect(await streams.recheck()).toEqual([[state, 'unauthorized']])
  },
)

test('When a wall follows by its key, then a token that means nothing does not end its stream', async () => {
  const streams = openStreams({ authorization: 'invalid', credentials: { wallKey: 'key' } })
  expect(await streams.recheck()).toEqual([])
})
