import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { createReadByLink } from './blob-account.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

/** Serves blob storage that answers as `answer` says, and returns a link to a blob. */
const serve = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/photos/id/original?sig=x`
}

test('When blob storage answers with the range, then its bytes are returned as they are stored', async () => {
  const link = await serve(({ url, headers }, response) => {
    // A guest may have chosen this header: nothing is decoded.
    response.writeHead(206, { 'content-range': 'bytes 0-3/9', 'content-encoding': 'gzip' })
    response.end(url === '/photos/id/original?sig=x' && headers.range === 'bytes=0-3' ? 'conf' : '')
  })
  const answer = await createReadByLink()(link, 'bytes=0-3', AbortSignal.timeout(60_000))
  expect(answer?.body.toString()).toBe('conf')
  expect(answer?.headers).toMatchObject({ 'content-range': 'bytes 0-3/9', 'content-encoding': 'gzip' })
})

test.each([200, 403, 404, 416, 503])(
  'When blob storage answers %i, then nothing is returned',
  async (status) => {
    const link = await serve((_, response) => response.writeHead(status).end('text'))
    expect(await createReadByLink()(link, 'bytes=0-3', AbortSignal.timeout(60_000))).toBeUndefined()
  },
)

test.each([
  ['before its answer', () => undefined],
  ['within the bytes', (_, response) => response.writeHead(206).write('c')],
] satisfies [string, RequestListener][])(
  'When blob storage hangs %s, then the deadline ends it',
  async (_, hang) => {
    const deadline = new AbortController()
    const link = await serve((request, response) => {
      hang(request, response)
      setImmediate(() => deadline.abort())
    })
    await expect(createReadByLink()(link, 'bytes=0-3', deadline.signal)).rejects.toMatchObject({
      name: 'AbortError',
    })
  },
)
