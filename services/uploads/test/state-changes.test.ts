import {
  buildPath,
  createUploadTickets,
  createWall,
  deleteEvent,
  deleteGuestUpload,
  deleteMyUpload,
  deleteWall,
  inviteOrganiser,
  publicRoutes,
  serviceRoutes,
  setMyUploadsVisibility,
  updateEvent,
  updateUser,
  WALL_KEY_HEADER,
  type Archive,
  type Event,
  type NewTicket,
  type RouteContract,
} from '@confetti/contracts'
import {
  call,
  complete,
  eventually,
  followLiveOnce,
  newOrganiser,
  newTicket,
  putFile,
  sendDirect,
  sha256Of,
  uniquePhoto,
  uploadForm,
  type Account,
  type ApiResponse,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  asGuest,
  changeSettings,
  eventWith,
  makeReady,
  newGuest,
  photo,
  sendPhoto,
  startGallerySystem,
  visibilityOf,
  type GallerySystem,
} from './gallery-event.ts'

// What each call about an event answers after each change of its state that can come between two calls.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let context: GallerySystem
let aheadMs = 0
const now = () => new Date(Date.now() + aheadMs)

beforeAll(async () => {
  context = await startGallerySystem(
    {},
    { services: ['auth', 'events', 'uploads', 'live'], clock: now, accessTokenSeconds: 30 * 24 * 3_600 },
  )
})
afterAll(() => context.stop())

/** An event in use: a guest has sent a photo, which is its cover, and there are photos of others. */
interface Situation {
  event: Event
  organiser: Account
  guest: string
  /** The guest's, which is the cover. */
  own: string
  /** Of others. */
  others: [string, string]
  /** Of a file that has arrived in blob storage, and waits to be completed. */
  ticket: string
  archive: Archive
  wallKey: string
  invitationId: string
}

const newTicketOf = async (event: Event, guest: string): Promise<string> => {
  const bytes = await uniquePhoto()
  const file = { name: 'photo.jpg', size: bytes.length, sha256: sha256Of(bytes) }
  const { body } = await call(context.url, createUploadTickets, {
    headers: asGuest(guest),
    body: { eventId: event._id, photoCredit: 'Table 4', files: [file] },
  })
  const ticket = body.tickets[0] as NewTicket
  if (ticket.outcome !== 'send') throw new Error('No ticket')
  expect(await putFile(ticket.transfer, bytes)).toEqual([201])
  return ticket.ticket
}

const prepare = async (): Promise<Situation> => {
  const { system, admin } = context
  const organiser = await newOrganiser(system.url('auth'))
  const event = await eventWith({ ...context, organiser }, { gallery: 'on' })
  const params = { eventId: event._id }
  const ofOrganiser = { token: organiser.token, params }
  await call(system.url('events'), updateEvent, {
    token: admin.token,
    params,
    body: { organisers: [context.organiser.user._id, organiser.user._id] },
  })
  const guest = newGuest()
  const own = await sendPhoto(context, event, asGuest(guest))
  const others: [string, string] = [await sendPhoto(context, event), await sendPhoto(context, event)]
  await makeReady(context, event, own, ...others)
  const ticket = await newTicketOf(event, guest)
  const archive = await call(context.url, publicRoutes.createMyEventArchive, { ...ofOrganiser, body: {} })
  const wall = await call(system.url('events'), createWall, ofOrganiser)
  const invited = await call(system.url('events'), inviteOrganiser, {
    ...ofOrganiser,
    body: { email: `${guest}@confetti.test`.toLowerCase() },
  })
  // Last: the copy that has it has everything.
  await changeSettings(context, event, { cover: own })
  return {
    event,
    organiser,
    guest,
    own,
    others,
    ticket,
    archive: archive.body as Archive,
    wallKey: new URL(wall.body.url as string).hash.slice(1),
    invitationId: String(invited.body.invitation._id),
  }
}

type RouteId = Exclude<
  keyof typeof serviceRoutes.events | keyof typeof serviceRoutes.uploads | keyof typeof serviceRoutes.live,
  (typeof withoutEvent)[number]
>
/** Lists of all events, what makes one, and what only a key says, which no change of an event is for. */
const withoutEvent = [
  'listActiveEvents',
  'listUpcomingEvents',
  'listPastEvents',
  'createEvent',
  'readOrganiserInvitation',
  'acceptOrganiserInvitation',
  'getOwnLink',
] as const

type Send = (situation: Situation) => Promise<string>
interface Options {
  token?: string | undefined
  headers?: Record<string, string>
  body?: unknown
  query?: Record<string, string>
  uploadId?: string
}

const answerOf = ({ status, body }: Pick<ApiResponse, 'status' | 'body'>, what = ''): string =>
  [status, status < 300 ? what : (body as { code?: string } | undefined)?.code].filter(Boolean).join(' ')

/** Calls a route about the event of a situation. `what` says what matters of the answer. */
const request =
  (
    contract: RouteContract,
    options: (situation: Situation) => Options = () => ({}),
    what: (body: ApiResponse['body'], situation: Situation) => string | Promise<string> = () => '',
  ): Send =>
  async (situation) => {
    const isOfEvents = Object.values<RouteContract>(serviceRoutes.events).includes(contract)
    const { uploadId = situation.own, ...sent } = options(situation)
    const reply = await call(context.system.url(isOfEvents ? 'events' : 'uploads'), contract, {
      params: {
        eventId: situation.event._id,
        uploadId,
        userId: context.organiser.user._id,
        invitationId: situation.invitationId,
      },
      ...(sent as object),
    })
    return answerOf(reply, reply.status < 300 ? await what(reply.body, situation) : '')
  }
const asOrganiser = ({ organiser }: Situation) => ({ token: organiser.token })
const asAdmin = () => ({ token: context.admin.token })
const withWallKey = ({ wallKey }: Situation) => ({ headers: { [WALL_KEY_HEADER]: wallKey } })
const count = ({ uploads }: ApiResponse['body']): string => `${(uploads as unknown[]).length} uploads`
const outcome = ({ tickets: [ticket] }: ApiResponse['body']): string =>
  [ticket.outcome, ticket.code].filter(Boolean).join(' ')
/** What became of one file that was sent. */
const stored = async (
  { uploads: [upload], rejected: [rejection] }: ApiResponse['body'],
  { event }: Situation,
) =>
  upload ? `stored ${await visibilityOf(context, event, String(upload._id))}` : `rejected ${rejection.code}`
const follow = async ({ event }: Situation, credentials: { token: string } | { wallKey: string }) => {
  const client = await followLiveOnce(context.system.url('live'), event._id, credentials)
  client.disconnect()
  return String(client.status)
}

const downloadConsents = async ({ event }: Situation, contract: RouteContract, token: string) => {
  const response = await fetch(new URL(buildPath(contract, { eventId: event._id }), context.url), {
    headers: { Authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  return answerOf({ status: response.status, body: response.ok ? undefined : JSON.parse(text) })
}

/** Each call, in an order in which none changes what the next ones answer: those that delete come last. */
const calls: Record<RouteId | 'followEvent by wall key', Send> = {
  getEvent: request(publicRoutes.getEvent, asOrganiser, (body) =>
    'settings' in body ? 'of members' : 'of guests',
  ),
  listMyEvents: request(
    publicRoutes.listMyEvents,
    asOrganiser,
    ({ events }) => `${(events as unknown[]).length} events`,
  ),
  updateEvent: request(publicRoutes.updateEvent, (s) => ({
    ...asOrganiser(s),
    body: { settings: { welcome: 'Hi' } },
  })),
  createQrCode: request(publicRoutes.createQrCode, asOrganiser),
  getEventCover: request(publicRoutes.getEventCover),
  listGallery: request(publicRoutes.listGallery, () => ({}), count),
  listGalleryCredits: request(
    publicRoutes.listGalleryCredits,
    () => ({}),
    ({ credits }) => `${(credits as unknown[]).length} names`,
  ),
  listWall: request(publicRoutes.listWall, withWallKey, count),
  followEvent: (situation) => follow(situation, { token: situation.organiser.token }),
  'followEvent by wall key': (situation) => follow(situation, { wallKey: situation.wallKey }),
  downloadEventConsents: (situation) =>
    downloadConsents(situation, publicRoutes.downloadEventConsents, context.admin.token),
  downloadMyEventConsents: (situation) =>
    downloadConsents(situation, publicRoutes.downloadMyEventConsents, situation.organiser.token),
  listGuestUploads: request(
    publicRoutes.listGuestUploads,
    ({ event, guest }) => ({ headers: asGuest(guest), query: { eventId: event._id } }),
    count,
  ),
  listEventUploads: request(publicRoutes.listEventUploads, asAdmin, count),
  listMyEventUploads: request(publicRoutes.listMyEventUploads, asOrganiser, count),
  downloadArchive: async ({ archive }) => {
    const { pathname } = new URL(archive.url)
    const response = await fetch(new URL(pathname, context.url))
    const text = await response.text()
    return answerOf({ status: response.status, body: response.ok ? undefined : JSON.parse(text) })
  },
  createEventArchive: request(publicRoutes.createEventArchive, () => ({ ...asAdmin(), body: {} })),
  createMyEventArchive: request(publicRoutes.createMyEventArchive, (s) => ({ ...asOrganiser(s), body: {} })),
  createGalleryArchive: request(publicRoutes.createGalleryArchive, () => ({ body: {} })),
  renameGuestUploads: request(
    publicRoutes.renameGuestUploads,
    ({ event, guest }) => ({
      headers: asGuest(guest),
      body: { eventId: event._id, photoCredit: 'Table 6' },
    }),
    ({ renamed }) => `${String(renamed)} renamed`,
  ),
  renameCredit: request(
    publicRoutes.renameCredit,
    () => ({ ...asAdmin(), body: { from: 'Table 6', to: 'Table 7' } }),
    ({ renamed }) => `${String(renamed)} renamed`,
  ),
  renameMyCredit: request(
    publicRoutes.renameMyCredit,
    (s) => ({ ...asOrganiser(s), body: { from: 'Table 7', to: 'Table 4' } }),
    ({ renamed }) => `${String(renamed)} renamed`,
  ),
  reportUpload: request(publicRoutes.reportUpload, () => ({ headers: asGuest(newGuest()) })),
  resumeUploads: request(
    publicRoutes.resumeUploads,
    ({ ticket }) => ({ body: { tickets: [ticket] } }),
    outcome,
  ),
  createUploadTickets: request(
    publicRoutes.createUploadTickets,
    ({ event }) => ({ body: { eventId: event._id, photoCredit: 'x', files: [{ name: 'a.jpg', size: 3 }] } }),
    outcome,
  ),
  completeUploads: request(
    publicRoutes.completeUploads,
    ({ ticket }) => ({ body: { tickets: [ticket] } }),
    stored,
  ),
  createUploads: async (situation) => {
    const file = { name: 'photo.jpg', bytes: await uniquePhoto() }
    const body = uploadForm(situation.event._id, 'Table 5', [file])
    return request(publicRoutes.createUploads, () => ({ body }), stored)(situation)
  },
  setUploadsVisibility: request(
    publicRoutes.setUploadsVisibility,
    ({ own }) => ({ ...asAdmin(), body: { uploadIds: [own], visibility: 'visible' } }),
    ({ uploadIds }) => `${(uploadIds as unknown[]).length} changed`,
  ),
  setMyUploadsVisibility: request(
    publicRoutes.setMyUploadsVisibility,
    (s) => ({ ...asOrganiser(s), body: { uploadIds: [s.own], visibility: 'visible' } }),
    ({ uploadIds }) => `${(uploadIds as unknown[]).length} changed`,
  ),
  createOwnLink: request(publicRoutes.createOwnLink, ({ event, guest }) => ({
    headers: asGuest(guest),
    body: { eventId: event._id },
  })),
  endOwnLink: request(publicRoutes.endOwnLink, ({ event, guest }) => ({
    headers: asGuest(guest),
    query: { eventId: event._id },
  })),
  deleteGuestUpload: request(publicRoutes.deleteGuestUpload, ({ guest }) => ({ headers: asGuest(guest) })),
  restoreGuestUpload: request(publicRoutes.restoreGuestUpload, ({ guest }) => ({ headers: asGuest(guest) })),
  deleteMyUpload: request(publicRoutes.deleteMyUpload, (s) => ({ ...asOrganiser(s), uploadId: s.others[0] })),
  deleteUpload: request(publicRoutes.deleteUpload, ({ others }) => ({ ...asAdmin(), uploadId: others[1] })),
  createWall: request(publicRoutes.createWall, asOrganiser),
  deleteWall: request(publicRoutes.deleteWall, asOrganiser),
  inviteOrganiser: request(publicRoutes.inviteOrganiser, (s) => ({
    ...asOrganiser(s),
    body: { email: 'somebody@confetti.test' },
  })),
  withdrawOrganiserInvitation: request(publicRoutes.withdrawOrganiserInvitation, asAdmin),
  removeOrganiser: request(publicRoutes.removeOrganiser, asOrganiser),
  deleteEvent: request(publicRoutes.deleteEvent, asAdmin),
}

const unchanged: Record<keyof typeof calls, string> = {
  getEvent: '200 of members',
  listMyEvents: '200 1 events',
  updateEvent: '200',
  createQrCode: '200',
  getEventCover: '200',
  listGallery: '200 3 uploads',
  listGalleryCredits: '200 1 names',
  listWall: '200 3 uploads',
  followEvent: '200',
  'followEvent by wall key': '200',
  listGuestUploads: '200 1 uploads',
  listEventUploads: '200 3 uploads',
  listMyEventUploads: '200 3 uploads',
  downloadEventConsents: '200',
  downloadMyEventConsents: '200',
  downloadArchive: '200',
  createEventArchive: '201',
  createMyEventArchive: '201',
  // There is no media worker, so there are no copies.
  createGalleryArchive: '404 no_uploads',
  renameGuestUploads: '200 1 renamed',
  renameCredit: '200 1 renamed',
  renameMyCredit: '200 1 renamed',
  reportUpload: '201',
  resumeUploads: '200 send',
  createUploadTickets: '201 send',
  completeUploads: '201 stored visible',
  createUploads: '201 stored visible',
  setUploadsVisibility: '200 1 changed',
  setMyUploadsVisibility: '200 1 changed',
  createOwnLink: '201',
  endOwnLink: '200',
  deleteGuestUpload: '200',
  restoreGuestUpload: '200',
  deleteMyUpload: '200',
  deleteUpload: '200',
  createWall: '201',
  deleteWall: '200',
  inviteOrganiser: '202',
  withdrawOrganiserInvitation: '200',
  removeOrganiser: '200',
  deleteEvent: '200',
}

type Answers = Partial<typeof unchanged>
/** The calls that need an organiser of the event, with this answer. */
const ofOrganiser = (answer: string): Answers =>
  Object.fromEntries(
    [
      'updateEvent',
      'createQrCode',
      'followEvent',
      'listMyEventUploads',
      'downloadMyEventConsents',
      'createMyEventArchive',
      'setMyUploadsVisibility',
      'renameMyCredit',
      'deleteMyUpload',
      'createWall',
      'deleteWall',
      'inviteOrganiser',
      'removeOrganiser',
    ].map((id) => [id, id === 'followEvent' ? answer.slice(0, 3) : answer]),
  )
const closed: Answers = { createUploadTickets: '410 event_closed', createUploads: '410 event_closed' }
const closedForAll: Answers = {
  ...closed,
  completeUploads: '410 event_closed',
  resumeUploads: '410 event_closed',
}
const galleryOff: Answers = {
  listGallery: '404 gallery_off',
  listGalleryCredits: '404 gallery_off',
  createGalleryArchive: '404 save_off',
  reportUpload: '404 gallery_off',
}
const unseen: Answers = {
  listGallery: '200 2 uploads',
  listWall: '200 2 uploads',
  getEventCover: '404 no_cover',
  reportUpload: '404 upload_not_found',
}
const gone: Answers = {
  ...unseen,
  listGuestUploads: '200 0 uploads',
  listEventUploads: '200 2 uploads',
  listMyEventUploads: '200 2 uploads',
  downloadArchive: '410 archive_outdated',
  setUploadsVisibility: '200 0 changed',
  setMyUploadsVisibility: '200 0 changed',
  renameGuestUploads: '404 upload_not_found',
  renameCredit: '404 upload_not_found',
  // Others have the new name.
  renameMyCredit: '200 0 renamed',
  deleteGuestUpload: '404 upload_not_found',
  restoreGuestUpload: '404 upload_not_found',
}

const set =
  (settings: Parameters<typeof changeSettings>[2]) =>
  ({ event }: Situation) =>
    changeSettings(context, event, settings)
const inDays = (days: number): string => new Date(now().getTime() + days * 24 * HOUR_MS).toISOString()
/** Until every service knows of a change. */
const known = async (situation: Situation, id: keyof typeof calls, answer: string): Promise<void> => {
  await eventually(async () => (await calls[id](situation)) === answer, `${id} to answer ${answer}`)
}
const changeOrganiser = async ({ organiser }: Situation, change: { role?: 'admin'; active?: false }) => {
  await call(context.system.url('auth'), updateUser, {
    token: context.admin.token,
    params: { userId: organiser.user._id },
    body: change,
  })
}

const changes: [string, (situation: Situation) => Promise<unknown>, Answers][] = [
  ['nothing changes', () => Promise.resolve(), {}],
  ['an organiser closes uploads', set({ uploads: 'closed' }), closedForAll],
  ['the closing time has come', (s) => set({ uploadsCloseAt: now().toISOString() })(s), closed],
  [
    'the event has all its files',
    set({ maxFiles: 3 }),
    {
      createUploadTickets: '201 rejected quota_exceeded',
      resumeUploads: '200 rejected quota_exceeded',
      completeUploads: '201 rejected quota_exceeded',
      createUploads: '413 quota_exceeded',
    },
  ],
  [
    'uploads have to be approved',
    set({ moderation: 'approve' }),
    { completeUploads: '201 stored pending', createUploads: '201 stored pending' },
  ],
  [
    'a PIN is set',
    async (situation) => {
      await call(context.system.url('events'), updateEvent, {
        token: context.organiser.token,
        params: { eventId: situation.event._id },
        body: { settings: { pin: 'Tulip42' } },
      })
      await known(situation, 'listGallery', '404 pin_required')
    },
    {
      ...Object.fromEntries(
        Object.entries<RouteContract>({ ...serviceRoutes.events, ...serviceRoutes.uploads })
          .filter(([id, { needsPass }]) => needsPass && id !== 'getEvent')
          .map(([id]) => [id, '404 pin_required']),
      ),
      // Nothing has the name that the guest could not give.
      renameCredit: '404 upload_not_found',
      renameMyCredit: '200 0 renamed',
    },
  ],
  ['the gallery is switched off', set({ gallery: 'off' }), galleryOff],
  [
    'the gallery opens later',
    (s) => set({ revealAt: inDays(1) })(s),
    // Guests can save their own.
    { ...galleryOff, createGalleryArchive: '404 no_uploads' },
  ],
  [
    'an upload is hidden',
    async ({ event, organiser, own }) =>
      call(context.url, setMyUploadsVisibility, {
        token: organiser.token,
        params: { eventId: event._id },
        body: { uploadIds: [own], visibility: 'hidden' },
      }),
    unseen,
  ],
  [
    'an organiser deletes an upload',
    async ({ event, organiser, own }) =>
      call(context.url, deleteMyUpload, {
        token: organiser.token,
        params: { eventId: event._id, uploadId: own },
      }),
    gone,
  ],
  [
    'a guest takes an upload back',
    async ({ guest, own }) =>
      call(context.url, deleteGuestUpload, { headers: asGuest(guest), params: { uploadId: own } }),
    {
      ...gone,
      renameGuestUploads: '200 1 renamed',
      renameCredit: '200 1 renamed',
      renameMyCredit: '200 1 renamed',
      restoreGuestUpload: '200',
    },
  ],
  [
    'a guest takes an upload back and restores it',
    async ({ guest, own }) => {
      const ofGuest = { headers: asGuest(guest), params: { uploadId: own } }
      await call(context.url, deleteGuestUpload, ofGuest)
      await call(context.url, publicRoutes.restoreGuestUpload, ofGuest)
    },
    {},
  ],
  [
    'the link to the live wall ends',
    async (situation) => {
      await call(context.system.url('events'), deleteWall, {
        token: situation.organiser.token,
        params: { eventId: situation.event._id },
      })
      await known(situation, 'listWall', '404 wall_not_found')
      await known(situation, 'followEvent by wall key', '404')
    },
    { listWall: '404 wall_not_found', 'followEvent by wall key': '404' },
  ],
  [
    'the organiser is removed',
    async (situation) => {
      await call(context.system.url('events'), updateEvent, {
        token: context.admin.token,
        params: { eventId: situation.event._id },
        body: { organisers: [context.organiser.user._id] },
      })
      await known(situation, 'listMyEventUploads', '404 event_not_found')
      await known(situation, 'followEvent', '404')
    },
    {
      ...ofOrganiser('404 event_not_found'),
      getEvent: '200 of guests',
      listMyEvents: '200 0 events',
      // What a former organiser has sent ends.
      withdrawOrganiserInvitation: '404 invitation_not_found',
    },
  ],
  ...(['deactivated', 'made an admin'] as const).map((what): (typeof changes)[number] => [
    `the organiser is ${what}`,
    async (situation) => {
      await changeOrganiser(situation, what === 'deactivated' ? { active: false } : { role: 'admin' })
      for (const id of ['listMyEvents', 'listMyEventUploads'] as const)
        await known(situation, id, '401 token_expired')
      await known(situation, 'followEvent', '401')
    },
    { ...ofOrganiser('401 token_expired'), getEvent: '401 token_expired', listMyEvents: '401 token_expired' },
  ]),
  [
    'the event is deleted',
    async (situation) => {
      await call(context.system.url('events'), deleteEvent, {
        token: context.admin.token,
        params: { eventId: situation.event._id },
      })
      await known(situation, 'listEventUploads', '404 event_not_found')
      await known(situation, 'followEvent', '404')
      await known(situation, 'restoreGuestUpload', '404 upload_not_found')
    },
    {
      ...Object.fromEntries(Object.keys(unchanged).map((id) => [id, '404 event_not_found'])),
      listMyEvents: '200 0 events',
      followEvent: '404',
      'followEvent by wall key': '404',
      downloadArchive: '410 archive_expired',
      resumeUploads: '200 rejected event_not_found',
      completeUploads: '201 rejected event_not_found',
      deleteGuestUpload: '404 upload_not_found',
      restoreGuestUpload: '404 upload_not_found',
      deleteUpload: '404 upload_not_found',
    },
  ],
  // Last, as blob storage has a clock of its own.
  [
    'the closing time was more than an hour ago',
    async (situation) => {
      await set({ uploadsCloseAt: now().toISOString() })(situation)
      aheadMs += 61 * MINUTE_MS
    },
    closedForAll,
  ],
]

test('Each public route about an event has a row', () => {
  const { events, uploads, live } = serviceRoutes
  const routes = Object.keys({ ...events, ...uploads, ...live })
  const rows = [...Object.keys(calls), ...withoutEvent].filter((id) => id in publicRoutes)
  expect(rows.toSorted()).toEqual(routes.toSorted())
  // What else there is in a path is of an event, too, or an account's own. Previews show what the guest's view says.
  const others = Object.entries<RouteContract>(publicRoutes).filter(
    ([id]) => !routes.includes(id) && !(id in serviceRoutes.gateway),
  )
  expect(others.filter(([, contract]) => buildPath(contract, { eventId: 'x' }).includes('/x'))).toEqual([])
})

test.each(['verified', 'not verified'])(
  'When a duplicate of a photo that is %s was completed, and uploads were closed since, then completing it again answers the same',
  async (state) => {
    const event = await eventWith(context, {})
    const file = await photo()
    if (state === 'verified') await sendPhoto(context, event, {}, file)
    else await sendDirect(context.url, event._id, file)
    const send = async (sent: typeof file) => {
      const { transfer, ticket } = await newTicket(context.url, event._id, sent, { sha256: '' })
      await putFile(transfer, sent.bytes)
      return { ticket, sha256: sha256Of(sent.bytes) }
    }
    const sent = await send(file)
    const { body } = await complete(context.url, sent)
    expect(body).toMatchObject({ uploads: [{ duplicate: true }], rejected: [] })
    const another = await send(await photo())
    await changeSettings(context, event, { uploads: 'closed' })
    expect((await complete(context.url, sent)).body).toEqual(body)
    expect(await complete(context.url, another)).toMatchObject({
      status: 410,
      body: { code: 'event_closed' },
    })
  },
)

test.each(changes)('When %s, then each call answers as it should', async (_, change, answers) => {
  const situation = await prepare()
  await change(situation)
  const found: Record<string, string> = {}
  for (const [id, send] of Object.entries(calls)) found[id] = await send(situation)
  expect(found).toEqual({ ...unchanged, ...answers })
})
