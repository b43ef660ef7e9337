import { expect, test } from '@jest/globals'
import { openApiDocument } from './openapi.ts'
import { publicRoutes } from './routes.ts'

const document = openApiDocument(publicRoutes)

test('When the document refers to a schema, then the document has it', () => {
  const text = JSON.stringify(document)
  const referred = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect(referred.length).toBeGreaterThan(0)
  for (const name of referred) expect(document.components.schemas).toHaveProperty(name ?? '')
  expect(text).not.toContain('$defs')
})

test('When a call needs a token, then the document says so and names 401', () => {
  const { get } = document.paths['/api/myevents'] ?? {}
  expect(get).toMatchObject({ security: [{ bearer: [] }], responses: { 200: {}, 401: {}, 403: {} } })
})

test('When guests may make a call, too, then the document says that it needs no token', () => {
  const { get } = document.paths['/api/events/{eventId}'] ?? {}
  expect(get).toMatchObject({ security: [{}, { bearer: [] }] })
})

test('When a call takes files, then the document says multipart', () => {
  expect(document.paths['/api/uploads']?.post).toHaveProperty([
    'requestBody',
    'content',
    'multipart/form-data',
  ])
})
