import { expect, test } from '@jest/globals'
import { storeOnly } from './plugins.ts'

/** Whether a plugin for scripts stores the response. */
const isStored = async (response: Response): Promise<boolean> => {
  const event = undefined as never
  const request = new Request('https://confetti.example.org/main.9fd0e2cb17.js')
  return (await storeOnly(/javascript/).cacheWillUpdate?.({ request, response, event })) === response
}

const respond = (status: number, type: string): Response =>
  new Response('', { status, headers: { 'Content-Type': type } })

test('When a response has status 200 and the right type, then it is stored', async () => {
  expect(await isStored(respond(200, 'text/javascript; charset=utf-8'))).toBe(true)
})

test.each([
  ['the file is missing', respond(404, 'text/javascript')],
  ['the server fails', respond(503, 'text/javascript')],
  ['the body is a part', respond(206, 'text/javascript')],
  ['the body is a page', respond(200, 'text/html')],
  ['the request failed', Response.error()],
  [
    'it was redirected',
    Object.defineProperty(respond(200, 'text/javascript'), 'redirected', { value: true }),
  ],
])('When %s, then the response is not stored', async (_reason, response) => {
  expect(await isStored(response)).toBe(false)
})
