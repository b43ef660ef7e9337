import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { createFollowing } from './following.ts'
import type { CloseReason, Stream } from './stream.ts'

test('When the events service does not answer, then the streams of revoked tokens end all the same', async () => {
  const ended: [authorization: string, reason: CloseReason][] = []
  const streamOf = (authorization: string): Stream => ({
    eventId: 'e'.repeat(24),
    audience: 'member',
    credentials: {},
    authorization,
    write: () => undefined,
    end: (reason) => void ended.push([authorization, reason]),
  })
  const asked = Promise.withResolvers<undefined>()
  const { recheckStreams } = createFollowing({
    streams: { all: () => ['valid', 'revoked'].map(streamOf) },
    events: {
      find: () => {
        asked.resolve(undefined)
        return new Promise(() => undefined)
      },
    },
    verifyToken: (authorization: string) =>
      Promise.resolve({ state: authorization === 'revoked' ? 'expired' : 'valid' }),
    logger: createLogger('test', 'fatal'),
  } as never)
  void recheckStreams()
  await asked.promise
  expect(ended).toEqual([['revoked', 'unauthorized']])
})
