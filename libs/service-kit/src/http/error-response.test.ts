import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, jest, test } from '@jest/globals'
import { createLogger } from '../logger.ts'
import { sendError } from './error-response.ts'

test('When an internal error occurs, then its message is logged and not sent to the client', async () => {
  const logger = createLogger('test', 'silent')
  const logged = jest.spyOn(logger, 'error')
  const error = new Error('connect mongodb://confetti:secret@database')
  const server = createServer((_, response) => {
    sendError(response, error, { requestId: 'r1', logger })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({
    message: 'Something went wrong.',
    code: 'internal',
    requestId: 'r1',
  })
  expect(logged).toHaveBeenCalledWith({ err: error }, expect.any(String))
  await once(server.close(), 'close')
})
