import type { RequestListener } from 'node:http'
import type { ServiceProcess } from '@confetti/launcher'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { send, SHELL, startGateway, startUpstream, type Upstream } from './harness.ts'

const eventId = '6b03b0c58bddcb2b37aa5f39'
const event = {
  _id: eventId,
  name: 'Anna & Ben',
  description: '',
  startDate: '2030-06-01',
  endDate: '2030-06-02',
  uploadsOpen: true,
}
const notFound = { message: 'Event not found.', code: 'event_not_found', requestId: 'r' }
/** The picture of the uploads service stands for a JPEG. */
const cover = { jpeg: Buffer.from('a picture').toString('base64') }

let upstream: Upstream
let gateway: ServiceProcess | undefined
/** What the services answer, by path: status and body. Others answer 404. */
let answers: Record<string, [number, unknown]>

const answer: RequestListener = ({ url = '' }, response) => {
  const [status, body] = answers[url] ?? [404, notFound]
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(body))
}

beforeAll(async () => {
  upstream = await startUpstream(answer)
})
// Each test has a gateway of its own, which has seen no event yet.
beforeEach(async () => {
  await gateway?.stop()
  upstream.requests.length = 0
  answers = {
    '/internal/codes/7F3K9QXM': [200, { eventId }],
    '/internal/codes/22222222': [404, { ...notFound, code: 'code_not_found' }],
    [`/api/events/${eventId}`]: [200, event],
    [`/internal/events/${eventId}/cover`]: [200, cover],
  }
  gateway = await startGateway(upstream.url)
})
afterAll(async () => {
  await gateway?.stop()
  await upstream.close()
})

const uploadUrl = `${SHELL}/upload?eventId=${eventId}`
const page = `/api/events/${eventId}/preview`
const load = (requestLine: string) => send(gateway?.url ?? '', requestLine)
const get = (path: string) => load(`GET ${path}`)
/** The content of a tag by its property or name, as it stands in the page. */
const tagOf = (html: string, name: string): string | undefined =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(html)?.[1]

test('When a browser opens a short link, then it is sent on to the upload page of the event', async () => {
  const { status, headers } = await get('/api/codes/7f3k-9qxm/link')
  expect([status, headers.location, headers['cache-control']]).toEqual([302, uploadUrl, 'no-cache'])
  expect((await get('/api/codes/2222-2222/link')).json.code).toBe('code_not_found')
})

test('When a crawler asks for a link, then it gets a small page with absolute addresses that may be kept for a minute', async () => {
  for (const path of [page, '/api/codes/7F3K-9QXM/preview']) {
    const { status, headers, text } = await get(path)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['cache-control']).toBe('public, max-age=60')
    expect(text).toContain('<html lang="en" dir="ltr">')
    expect(tagOf(text, 'og:title')).toBe('Anna &amp; Ben')
    expect(tagOf(text, 'og:description')).toBe('1 – 2 June 2030 · Add your photos and videos to this event.')
    expect(tagOf(text, 'og:url')).toBe(uploadUrl)
    expect(tagOf(text, 'og:image')).toBe(`${SHELL}/preview/${eventId}.jpg`)
    expect(tagOf(text, 'twitter:card')).toBe('summary_large_image')
    expect(text.length).toBeLessThan(3_000)
  }
})

test('When an event has a language and a welcome text, then the page is in that language and shows it', async () => {
  answers[`/api/events/${eventId}`] = [200, { ...event, language: 'ar', welcome: 'أهلا\nوسهلا' }]
  const { text } = await get(page)
  expect(text).toContain('<html lang="ar" dir="rtl">')
  expect(tagOf(text, 'og:description')).toMatch(/^1.*2030 · أهلا وسهلا$/)
})

test('When texts of an event have markup or are long, then the page escapes and shortens them', async () => {
  const name = `"><script>alert('1')</script>&${'👩‍👩‍👧'.repeat(200)}`
  const welcome = `<img src=x onerror=1>${'long '.repeat(2_000)}`
  answers[`/api/events/${eventId}`] = [200, { ...event, name, welcome }]
  const { text } = await get(page)
  expect(text).not.toMatch(/<script|<img/)
  expect(tagOf(text, 'og:title')).toMatch(
    /^&quot;&gt;&lt;script&gt;alert\(&#39;1&#39;\)&lt;\/script&gt;&amp;.*👩‍👩‍👧…$/u,
  )
  expect(Buffer.byteLength(text)).toBeLessThan(12_000)
})

test('When guests see a cover, then it is the picture, otherwise one of the product', async () => {
  const product = await get(`${page}.jpg`)
  expect([product.status, product.headers['content-type']]).toEqual([200, 'image/jpeg'])
  expect(product.headers['cache-control']).toBe('public, max-age=60')
  expect(Number(product.headers['content-length'])).toBeLessThan(300_000)
  // The uploads service is not asked about an event that shows no cover.
  expect(upstream.requests).toEqual([`GET /api/events/${eventId}`])

  const other = 'a'.repeat(24)
  answers[`/api/events/${other}`] = [200, { ...event, _id: other, cover: 'b'.repeat(24) }]
  answers[`/internal/events/${other}/cover`] = [200, cover]
  expect((await get(`/api/events/${other}/preview.jpg`)).text).toBe('a picture')

  const withoutPhoto = 'c'.repeat(24)
  answers[`/api/events/${withoutPhoto}`] = [200, { ...event, _id: withoutPhoto, cover: 'b'.repeat(24) }]
  answers[`/internal/events/${withoutPhoto}/cover`] = [404, { ...notFound, code: 'no_cover' }]
  const hidden = await get(`/api/events/${withoutPhoto}/preview.jpg`)
  expect(hidden.headers['content-length']).toBe(product.headers['content-length'])
})

test('When an event has a PIN, then the preview shows its name and language, and nothing else', async () => {
  answers[`/api/events/${eventId}`] = [
    404,
    { ...notFound, code: 'pin_required', details: { name: 'Anna & Ben', language: 'de' } },
  ]
  const { status, text } = await get(page)
  expect(status).toBe(200)
  expect(text).toContain('<html lang="de" dir="ltr">')
  expect(tagOf(text, 'og:title')).toBe('Anna &amp; Ben')
  expect(tagOf(text, 'og:description')).toBe('Teile deine Fotos und Videos von diesem Event.')
  expect((await get(`${page}.jpg`)).status).toBe(200)
  expect(upstream.requests.filter((request) => request.includes('/cover'))).toEqual([])
})

test('When there is no such event, then there is no preview; when its service is down, then one is made later', async () => {
  const unknown = 'd'.repeat(24)
  for (const path of [`/api/events/${unknown}/preview`, `/api/events/${unknown}/preview.jpg`])
    expect([path, (await get(path)).json.code]).toEqual([path, 'event_not_found'])
  expect((await get('/api/events/nothing/preview')).status).toBe(404)
  expect((await get('/api/codes/2222-2222/preview')).json.code).toBe('code_not_found')

  answers[`/api/events/${eventId}`] = [500, {}]
  expect((await get(page)).status).toBe(503)
  answers[`/api/events/${eventId}`] = [200, event]
  expect((await get(page)).status).toBe(200)
})

test('When all of a chat ask at once, then the services are asked once', async () => {
  answers[`/api/events/${eventId}`] = [200, { ...event, cover: 'b'.repeat(24) }]
  const paths = Array.from({ length: 500 }, (_, index) => (index % 2 ? page : `${page}.jpg`))
  const responses = await Promise.all(paths.map(get))
  expect(responses.every(({ status }) => status === 200)).toBe(true)
  expect(upstream.requests.toSorted()).toEqual([
    `GET /api/events/${eventId}`,
    `GET /internal/events/${eventId}/cover`,
  ])
})

test('When only the headers are requested, then they are those of the page and of the picture', async () => {
  for (const path of [page, `${page}.jpg`]) {
    const { status, headers, text } = await load(`HEAD ${path}`)
    expect([status, headers['cache-control'], text]).toEqual([200, 'public, max-age=60', ''])
  }
})
