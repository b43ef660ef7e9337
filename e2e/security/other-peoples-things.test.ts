import { publicRoutes, type RouteContract, type Upload } from '@confetti/contracts'
import { call, newEvent, newOrganiser, sendFiles, uniquePhoto, type Account } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { download, listUploads, startStand, type Stand } from '../stand.ts'

// Each role on each route is in every-call.test.ts.

let stand: Stand
let stranger: Account
let upload: Upload

const theOne = (uploads: readonly Upload[]): Upload => {
  const [one] = uploads
  if (!one) throw new Error('there is no upload')
  return one
}

beforeAll(async () => {
  stand = await startStand({ services: ['auth', 'events', 'uploads', 'contact', 'gateway'] })
  const { api, admin, event } = stand
  stranger = await newOrganiser(api)
  await newEvent(api, admin, stranger)
  await sendFiles(api, event._id, [{ name: 'mine.jpg', bytes: await uniquePhoto() }])
  upload = theOne(await listUploads(stand))
}, 120_000)
afterAll(() => stand.system.stop())

const about = Object.entries<RouteContract>(publicRoutes).filter(([, { params }]) => params)
const mayBeSeen = ['getEvent']

test.each(about)(
  'When an organiser calls %s about what is another’s, then it stays the other’s',
  async (id, contract) => {
    const { api, event, organiser } = stand
    const before = await listUploads(stand)
    for (const eventId of [event._id, event._id.toUpperCase()]) {
      const { status, body } = await call(api, contract, {
        token: stranger.token,
        params: { eventId, uploadId: upload._id },
      })
      expect(mayBeSeen.includes(id) ? [200] : [403, 404]).toContain(status)
      expect(JSON.stringify(body)).not.toContain(organiser.user.email)
      expect(JSON.stringify(body)).not.toContain(upload._id)
    }
    expect((await listUploads(stand)).map(({ _id }) => _id)).toEqual(before.map(({ _id }) => _id))
  },
)

test('When an organiser reads on in a list with a cursor of another’s list, then only their own is there', async () => {
  const { api, admin, event } = stand
  await sendFiles(api, event._id, [{ name: 'second.jpg', bytes: await uniquePhoto() }])
  const { body } = await call(api, publicRoutes.listEventUploads, {
    token: admin.token,
    params: { eventId: event._id },
    query: { limit: '1' },
  })
  const own = await newEvent(api, admin, stranger)
  const read = await call(api, publicRoutes.listMyEventUploads, {
    token: stranger.token,
    params: { eventId: own._id },
    query: { after: body.nextCursor as string },
  })
  expect([read.status, read.body.uploads]).toEqual([200, []])
})

test('When an organiser writes as somebody else, or makes themselves more, then they stay who they are', async () => {
  const { api, admin } = stand
  await call(api, publicRoutes.contactAdmin, {
    token: stranger.token,
    body: { subject: 'x', message: 'y', userEmail: admin.user.email, _id: upload._id, role: 'admin' },
  })
  const { body } = await call(api, publicRoutes.listContacts, { token: admin.token })
  expect(body.messages[0].userEmail).toBe(stranger.user.email)
})

/** What a read link answers, with something about it changed. */
const answerTo = async (change: (link: URL) => void, method = 'GET'): Promise<number> => {
  const link = new URL(upload.url)
  change(link)
  const response = await fetch(link, {
    method,
    headers: { 'x-ms-blob-type': 'BlockBlob' },
    ...(method === 'PUT' && { body: 'mine now' }),
  })
  await response.arrayBuffer()
  return response.status
}

test('A read link opens one file, to read, and nothing else of the store', async () => {
  expect(await answerTo(() => undefined)).toBe(200)
  const other = theOne((await listUploads(stand)).filter(({ _id }) => _id !== upload._id))
  const container = new URL(upload.url).pathname.split('/').slice(0, 3).join('/')
  const refused = [
    await answerTo((link) => (link.pathname = new URL(other.url).pathname)),
    await answerTo((link) => (link.search = '')),
    await answerTo((link) => link.searchParams.set('sp', 'rwd')),
    await answerTo((link) => link.searchParams.set('se', '2999-01-01T00:00:00Z')),
    await answerTo((link) => link.searchParams.set('sig', 'AAAA')),
    await answerTo(() => undefined, 'PUT'),
    await answerTo(() => undefined, 'DELETE'),
    await answerTo((link) => {
      link.pathname = container
      link.searchParams.set('restype', 'container')
      link.searchParams.set('comp', 'list')
    }),
    (await fetch(`${new URL(upload.url).origin}${container}?restype=container&comp=list`)).status,
  ]
  for (const status of refused) expect([403, 404, 409]).toContain(status)
  expect((await download(upload.url)).length).toBe(upload.size)
})
