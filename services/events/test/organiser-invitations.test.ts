import {
  acceptOrganiserInvitation,
  deleteEvent,
  getEvent,
  inviteOrganiser,
  readOrganiserInvitation,
  removeOrganiser,
  updateEvent,
  updateUser,
  withdrawOrganiserInvitation,
  type Event,
} from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import { newMessage, toEnvelope } from '@confetti/messaging'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  randomEmail,
  recordMessages,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'

const DAY_MS = 86_400_000

let system: TestSystem
let messages: RecordedMessages
let database: Connection
let url: string
let admin: Account
let organiser: Account
let event: Event
let now = Date.now()

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events'],
    clock: () => new Date(now),
    environment: {
      auth: { ACCESS_TOKEN_SECONDS: '5184000' },
      events: { MAIL: 'on', SWEEP_INTERVAL_MS: '200' },
    },
  })
  messages = await recordMessages(system)
  database = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'events'))
    .asPromise()
  url = system.url('events')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})
afterAll(async () => {
  await database.close()
  await messages.close()
  await system.stop()
})
beforeEach(async () => {
  event = await newEvent(url, admin, organiser)
})

const params = () => ({ eventId: event._id })
const invite = (email: string, { token } = organiser) =>
  call(url, inviteOrganiser, { token, params: params(), body: { email } })
const accept = (token: string, account: Account) =>
  call(url, acceptOrganiserInvitation, { token: account.token, body: { token } })
const read = (token: string, account: Account) =>
  call(url, readOrganiserInvitation, { token: account.token, body: { token } })
const withdraw = (invitationId: string, { token } = organiser) =>
  call(url, withdrawOrganiserInvitation, { token, params: { ...params(), invitationId } })
const setOrganisers = (...accounts: Account[]) =>
  call(url, updateEvent, {
    token: admin.token,
    params: params(),
    body: { organisers: accounts.map(({ user }) => user._id) },
  })
const look = async ({ token } = organiser) =>
  (await call(url, getEvent, { token, params: params() })).body.event as Event
const newAccount = () => newOrganiser(system.url('auth'))

/** The token of the link that was mailed to an address last. */
const mailedToken = async (email: string, count = 1): Promise<string> => {
  const mails = await eventually(() => {
    const found = messages.distinct('organiser.invited.v1').filter(({ data }) => data.email === email)
    return found.length >= count && found
  }, 'the mail with the link')
  return new URL(mails.at(-1)?.data.link ?? '').hash.slice('#token='.length)
}
const inviteAndRead = async (email = randomEmail()): Promise<string> => {
  expect((await invite(email)).status).toBe(202)
  return mailedToken(email)
}
const refused = { status: 404, body: { code: 'link_invalid' } }

test('When somebody is invited, then the answer and what managers see are the same whether the address has an account', async () => {
  const account = await newAccount()
  const addresses = [account.user.email, admin.user.email, organiser.user.email, randomEmail()]
  for (const email of addresses) {
    const { status, body } = await invite(` ${email.toUpperCase()} `)
    expect(status).toBe(202)
    expect(body).toEqual({
      message: 'Organiser invited successfully',
      invitation: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        email,
        expiresAt: new Date(now + 7 * DAY_MS).toISOString(),
      },
    })
    expect((await look()).organiserInvitations).toContainEqual(body.invitation)
    expect(await mailedToken(email)).toMatch(/^[0-9a-f]{24}\.[\w-]{43}$/)
  }
  // Nobody organises the event by being invited.
  expect((await look()).organisers).toEqual([organiser.user].map(({ _id, email }) => ({ _id, email })))
  expect(await look(account)).not.toHaveProperty('organiserInvitations')
  const stored = JSON.stringify(await database.collection('events').find().toArray())
  for (const email of addresses) expect(stored).not.toContain((await mailedToken(email)).split('.')[1])
})

test('When the link is accepted, then whoever is signed in organises the event, and the link is used up', async () => {
  const invited = randomEmail()
  const token = await inviteAndRead(invited)
  const [account, other] = [await newAccount(), await newAccount()]
  const { _id: eventId, name, startDate, endDate } = event
  expect(await read(token, account)).toMatchObject({
    status: 200,
    body: {
      event: { _id: eventId, name, startDate, endDate },
      invitedBy: organiser.user.email,
      email: invited,
    },
  })
  const { status, body } = await accept(token, account)
  expect(status).toBe(200)
  const { _id, email } = account.user
  const organisers = [
    { _id: organiser.user._id, email: organiser.user.email },
    { _id, email },
  ]
  expect(body).toEqual({ event: { ...event, organisers } })
  expect(await look(account)).toEqual(body.event)
  for (const again of [account, other]) {
    expect(await accept(token, again)).toMatchObject(refused)
    expect(await read(token, again)).toMatchObject(refused)
  }
  expect((await look()).organisers).toEqual(organisers)
})

test('When two accept one link at the same moment, then one of them organises the event', async () => {
  const token = await inviteAndRead()
  const accounts = await Promise.all([newAccount(), newAccount()])
  const replies = await Promise.all(accounts.map((account) => accept(token, account)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect((await look()).organisers).toHaveLength(2)
})

test('When an organiser opens the link that they have sent, then it stays for the other', async () => {
  const token = await inviteAndRead()
  expect(await accept(token, organiser)).toMatchObject({ status: 200, body: { event: { _id: event._id } } })
  expect((await accept(token, await newAccount())).status).toBe(200)
})

test('When a token is malformed, of another event or expired, then it is refused', async () => {
  const account = await newAccount()
  const token = await inviteAndRead()
  const other = await newEvent(url, admin, organiser)
  const [, secret = ''] = token.split('.')
  for (const wrong of ['', 'x', event._id, `${other._id}.${secret}`, `${token}x`, 'x'.repeat(10_000)])
    expect(await accept(wrong, account)).toMatchObject(refused)
  now += 7 * DAY_MS
  expect(await accept(token, account)).toMatchObject(refused)
  await eventually(
    async () =>
      (await database
        .collection('events')
        .countDocuments({ 'organiserInvitations.0': { $exists: true } })) === 0,
    'the removal of expired invitations',
  )
})

test('When somebody is invited again, or the invitation is withdrawn, then the earlier link stops working', async () => {
  const [account, email] = [await newAccount(), randomEmail()]
  const first = await inviteAndRead(email)
  const { body } = await invite(email)
  const second = await mailedToken(email, 2)
  expect(await accept(first, account)).toMatchObject(refused)
  expect((await look()).organiserInvitations).toEqual([body.invitation])

  const stranger = await newAccount()
  const invitationId = body.invitation._id as string
  expect((await withdraw(invitationId, stranger)).status).toBe(404)
  expect(await withdraw(invitationId)).toMatchObject({
    status: 200,
    body: { event: { organiserInvitations: [] } },
  })
  expect(await accept(second, account)).toMatchObject(refused)
  expect(await withdraw(invitationId)).toMatchObject({ status: 404, body: { code: 'invitation_not_found' } })
})

test('When who has invited may not invite any more, then the link does not work', async () => {
  const account = await newAccount()
  const inviter = await newAccount()
  await setOrganisers(organiser, inviter)
  for (const email of ['a', 'b'].map((name) => `${name}-${randomEmail()}`))
    expect((await invite(email, inviter)).status).toBe(202)
  const [removed] = (await look()).organiserInvitations
  const token = await mailedToken(removed?.email ?? '')
  await call(url, removeOrganiser, {
    token: organiser.token,
    params: { ...params(), userId: inviter.user._id },
  })
  expect((await look()).organiserInvitations).toEqual([])
  expect(await accept(token, account)).toMatchObject(refused)

  const left = await newAdmin(system, system.url('auth'))
  const email = randomEmail()
  await invite(email, left)
  const users = database.collection<{ _id: string; active: boolean }>('users')
  await call(system.url('auth'), updateUser, {
    token: admin.token,
    params: { userId: left.user._id },
    body: { active: false },
  })
  await eventually(() => users.findOne({ _id: left.user._id, active: false }), 'the deactivation')
  expect(await accept(await mailedToken(email), account)).toMatchObject(refused)
})

test('When an event has ten organisers, then nobody can accept or be invited, and an admin adds at once whom they choose', async () => {
  const invited = await newAccount()
  const token = await inviteAndRead()
  const pending = await inviteAndRead(invited.user.email)
  const others = await Promise.all(Array.from({ length: 8 }, newAccount))
  await setOrganisers(organiser, ...others, invited)
  // An admin's change is no invitation, and ends the one to the same address.
  expect((await look()).organiserInvitations).toHaveLength(1)
  expect(await accept(pending, await newAccount())).toMatchObject(refused)
  const tooMany = { status: 409, body: { code: 'too_many_organisers' } }
  expect(await accept(token, await newAccount())).toMatchObject(tooMany)
  expect(await invite(randomEmail())).toMatchObject(tooMany)
})

test('When an event has ten invitations, or fifty in a day, then no more are sent', async () => {
  const address = (n: number) => `${n}-${event._id}@confetti.test`
  for (let n = 0; n < 10; n += 1) expect((await invite(address(n))).status).toBe(202)
  expect(await invite(address(10))).toMatchObject({ status: 409, body: { code: 'too_many_invitations' } })
  for (let n = 10; n < 50; n += 1) expect((await invite(address(n % 10))).status).toBe(202)
  expect(await invite(address(0))).toMatchObject({ status: 429 })
  now += DAY_MS
  expect((await invite(address(0))).status).toBe(202)
})

test('When an account is erased, then no event keeps an invitation by it or to its address', async () => {
  const [inviter, invited] = [await newAccount(), await newAccount()]
  await setOrganisers(organiser, inviter)
  await invite(randomEmail(), inviter)
  await invite(invited.user.email)
  for (const { user } of [inviter, invited]) {
    await messages.publish(toEnvelope(newMessage('user.deleted.v1', user), '/services/auth'))
    await eventually(async () => {
      const stored = JSON.stringify(await database.collection('events').find().toArray())
      return !stored.includes(user._id) && !stored.includes(user.email)
    }, 'the erasure of the account')
  }
  expect((await look()).organiserInvitations).toEqual([])
})

test('When an event is deleted, then its invitations are gone', async () => {
  const email = randomEmail()
  const token = await inviteAndRead(email)
  await call(url, deleteEvent, { token: admin.token, params: params() })
  expect(await accept(token, await newAccount())).toMatchObject(refused)
  await eventually(
    async () => !JSON.stringify(await database.collection('events').find().toArray()).includes(email),
    'the erasure of the invitation',
  )
})

test('When somebody is invited or an invitation withdrawn, then the audit log has who did it, and no address', async () => {
  const email = randomEmail()
  const { body } = await invite(email)
  await withdraw(body.invitation._id as string)
  const entries = await eventually(() => {
    const found = messages.distinct('audit.recorded.v1').filter(({ data }) => data.eventId === event._id)
    return found.length === 3 && found
  }, 'the entries')
  expect(entries.map(({ data: { action, actor } }) => [action, actor._id])).toEqual([
    ['event.created', admin.user._id],
    ['event.organiser-invited', organiser.user._id],
    ['event.invitation-withdrawn', organiser.user._id],
  ])
  expect(JSON.stringify(entries)).not.toContain(email)
})

test('When an address is malformed, then it is refused', async () => {
  for (const email of ['', ' ', 'nobody', 'a@b', 'x'.repeat(300)])
    expect((await invite(email)).status).toBe(400)
})
