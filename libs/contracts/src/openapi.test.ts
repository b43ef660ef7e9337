import { expect, test } from '@jest/globals'
import { openApiDocument } from './openapi.ts'
import { publicRoutes } from './routes.ts'

const document = openApiDocument(publicRoutes)

test('When the document references a schema, then it contains that schema', () => {
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect(references.length).toBeGreaterThan(0)
  for (const name of references) expect(document.components.schemas).toHaveProperty(name ?? '')
  expect(text).not.toContain('$defs')
})

test('When a route needs a token, then it has a security requirement and a 401 response', () => {
  const { get } = document.paths['/api/myevents'] ?? {}
  expect(get).toMatchObject({ security: [{ bearer: [] }], responses: { 200: {}, 401: {}, 403: {} } })
})

test('When a route is open to guests, then its security requirement is optional', () => {
  const { get } = document.paths['/api/events/{eventId}'] ?? {}
  expect(get).toMatchObject({ security: [{}, { bearer: [] }] })
})

test('When a route accepts files, then its request body is multipart', () => {
  expect(document.paths['/api/uploads']?.post).toHaveProperty([
    'requestBody',
    'content',
    'multipart/form-data',
  ])
})
