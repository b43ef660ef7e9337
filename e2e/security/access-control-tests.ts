import { previewsRoutes, publicRoutes, type RouteContract, type Upload } from '@confetti/contracts'
import { call, newEvent, newOrganiser, sendFiles, uniquePhoto, type Account } from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import { download, listUploads, type Harness } from '../harness.ts'
import { joinSystemWithoutMedia } from '../shared-system.ts'

// all-routes-tests.ts tests which roles may call each route.

let harness: Harness
let otherOrganiser: Account
let upload: Upload

const first = (uploads: readonly Upload[]): Upload => {
  const [upload] = uploads
  if (!upload) throw new Error('there is no upload')
  return upload
}

beforeAll(async () => {
  harness = await joinSystemWithoutMedia()
  const { api, admin, event } = harness
  otherOrganiser = await newOrganiser(api)
  await newEvent(api, admin, otherOrganiser)
  await sendFiles(api, event._id, [{ name: 'photo.jpg', bytes: await uniquePhoto() }])
  upload = first(await listUploads(harness))
})

// Previews are for anybody, and no JSON: `link-previews-tests.ts` shows that they have only what guests see.
const routesWithIds = Object.entries<RouteContract>(publicRoutes).filter(
  ([id, { params }]) => params && !Object.hasOwn(previewsRoutes, id),
)
/** What everybody may call, and the status there: none of these fields proves that one knows the PIN. */
const guestRoutes: Readonly<Record<string, number>> = { getEvent: 200, createEventPass: 400 }

test.each(routesWithIds)(
  'When an organiser calls %s with the ids of another, then nothing is disclosed or changed',
  async (id, contract) => {
    const { api, event, organiser } = harness
    const before = await listUploads(harness)
    for (const eventId of [event._id, event._id.toUpperCase()]) {
      const { status, body } = await call(api, contract, {
        token: otherOrganiser.token,
        params: {
          eventId,
          uploadId: upload._id,
          userId: organiser.user._id,
          invitationId: upload._id,
        },
        ...(contract.body &&
          !contract.path.endsWith('/archives') && {
            body: {
              email: otherOrganiser.user.email,
              uploadIds: [upload._id],
              visibility: 'hidden',
            },
          }),
      })
      expect(guestRoutes[id] === undefined ? [403, 404] : [guestRoutes[id]]).toContain(status)
      expect(JSON.stringify(body)).not.toContain(organiser.user.email)
      expect(JSON.stringify(body)).not.toContain(upload._id)
    }
    const stateOf = (uploads: readonly Upload[]) => uploads.map(({ _id, visibility }) => [_id, visibility])
    expect(stateOf(await listUploads(harness))).toEqual(stateOf(before))
  },
)

test('When an organiser uses a cursor of another event, then the list has only uploads of their own event', async () => {
  const { api, admin, event } = harness
  await sendFiles(api, event._id, [{ name: 'second.jpg', bytes: await uniquePhoto() }])
  const { body } = await call(api, publicRoutes.listEventUploads, {
    token: admin.token,
    params: { eventId: event._id },
    query: { limit: '1' },
  })
  const ownEvent = await newEvent(api, admin, otherOrganiser)
  const page = await call(api, publicRoutes.listMyEventUploads, {
    token: otherOrganiser.token,
    params: { eventId: ownEvent._id },
    query: { after: body.nextCursor as string },
  })
  expect([page.status, page.body.uploads]).toEqual([200, []])
})

test('When a contact message contains another sender, id or role, then it is refused', async () => {
  const { api, admin } = harness
  const { status, body } = await call(api, publicRoutes.contactAdmin, {
    token: otherOrganiser.token,
    body: { subject: 'x', message: 'y', userEmail: admin.user.email, _id: upload._id, role: 'admin' },
  })
  expect([status, body.code]).toEqual([400, 'unknown_field'])
  const list = await call(api, publicRoutes.listContacts, { token: admin.token })
  expect(list.body.messages).toEqual([])
})

/** Requests a modified read link. Returns the status of the response. */
const requestLink = async (modify: (link: URL) => void, method = 'GET'): Promise<number> => {
  const link = new URL(upload.url)
  modify(link)
  const response = await fetch(link, {
    method,
    headers: { 'x-ms-blob-type': 'BlockBlob' },
    ...(method === 'PUT' && { body: 'overwritten' }),
  })
  await response.arrayBuffer()
  return response.status
}

test('When a read link is modified, then it gives no access to other blobs and no write access', async () => {
  expect(await requestLink(() => undefined)).toBe(200)
  const otherUpload = first((await listUploads(harness)).filter(({ _id }) => _id !== upload._id))
  const container = new URL(upload.url).pathname.split('/').slice(0, 3).join('/')
  const statuses = [
    await requestLink((link) => (link.pathname = new URL(otherUpload.url).pathname)),
    await requestLink((link) => (link.search = '')),
    await requestLink((link) => link.searchParams.set('sp', 'rwd')),
    await requestLink((link) => link.searchParams.set('se', '2999-01-01T00:00:00Z')),
    await requestLink((link) => link.searchParams.set('sig', 'AAAA')),
    await requestLink(() => undefined, 'PUT'),
    await requestLink(() => undefined, 'DELETE'),
    await requestLink((link) => {
      link.pathname = container
      link.searchParams.set('restype', 'container')
      link.searchParams.set('comp', 'list')
    }),
    (await fetch(`${new URL(upload.url).origin}${container}?restype=container&comp=list`)).status,
  ]
  for (const status of statuses) expect([403, 404, 409]).toContain(status)
  expect((await download(upload.url)).length).toBe(upload.size)
})
