import { randomUUID } from 'node:crypto'
import {
  acceptInvitation,
  changePassword,
  eraseUser,
  listAudit,
  logoutAll,
  sendPasswordReset,
  updateUser,
  type AuditEntry,
  type AuditList,
  type MessageData,
} from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  newOrganiser,
  recordMessages,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Types } from 'mongoose'
import { invite } from './account-fixtures.ts'

let system: TestSystem
let recorded: RecordedMessages
let auth: string
let admin: Account
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth'],
    replicas: { auth: 2 },
    environment: { auth: { SESSION_SWEEP_SECONDS: '1' } },
  })
  auth = system.url('auth')
  recorded = await recordMessages(system)
  admin = await newAdmin(system, auth)
})
afterAll(async () => {
  await recorded.close()
  await system.stop()
})

const newId = (): string => new Types.ObjectId().toHexString()
const list = async (query: Record<string, string>): Promise<AuditList> =>
  (await call(auth, listAudit, { token: admin.token, query })).body as AuditList
/** Waits until as many entries match `query`, and returns them, latest first. */
const waitForEntries = (query: Record<string, string>, count: number): Promise<AuditEntry[]> =>
  eventually(async () => {
    const { entries } = await list(query)
    return entries.length === count && entries
  }, `${count} entries`)

type Recorded = MessageData<'audit.recorded.v1'>
const recordedChange = (fields: Partial<Recorded> = {}): Recorded => {
  const eventId = newId()
  return {
    _id: newId(),
    at: new Date().toISOString(),
    action: 'event.changed',
    actor: { _id: newId(), email: `${randomUUID()}@example.com` },
    subject: { type: 'event', id: eventId },
    eventId,
    address: '192.0.2.1',
    details: { name: { from: 'Before', to: 'After' } },
    ...fields,
  }
}
const publish = async (data: Recorded): Promise<Recorded> => {
  await recorded.publish({
    specversion: '1.0',
    id: randomUUID(),
    type: 'audit.recorded.v1',
    source: '/services/test',
    time: data.at,
    datacontenttype: 'application/json',
    data,
  })
  return data
}

test('When an account is invited, changed and erased, then each step has its entry with actor and address', async () => {
  const { user, token } = await invite(auth, admin)
  const input = { token: admin.token, params: { userId: user._id } }
  await call(auth, acceptInvitation, { body: { token, password: 'a first password' } })
  for (const body of [{ role: 'admin' }, { role: 'user', active: false }, { active: true }])
    expect((await call(auth, updateUser, { ...input, body })).status).toBe(200)
  await call(auth, sendPasswordReset, input)
  const before = await eventually(async () => {
    const { entries } = await list({ limit: '1000' })
    const ofUser = entries.filter(({ subject }) => subject.id === user._id)
    return ofUser.length === 8 && ofUser
  }, 'all entries')
  const bySystem = { _id: admin.user._id, email: admin.user.email }
  const { email } = user
  expect(before.toReversed().map(({ action, actor, details }) => ({ action, actor, details }))).toEqual([
    { action: 'user.created', actor: bySystem, details: { email, role: 'user' } },
    { action: 'user.invited', actor: bySystem, details: { email } },
    { action: 'user.invitation-accepted', actor: { _id: user._id, email }, details: { email } },
    { action: 'user.role-changed', actor: bySystem, details: { email, role: { from: 'user', to: 'admin' } } },
    { action: 'user.role-changed', actor: bySystem, details: { email, role: { from: 'admin', to: 'user' } } },
    { action: 'user.deactivated', actor: bySystem, details: { email } },
    { action: 'user.activated', actor: bySystem, details: { email } },
    { action: 'user.password-reset-sent', actor: bySystem, details: { email } },
  ])
  expect(before.every(({ address }) => address.includes('127.0.0.1'))).toBe(true)

  await call(auth, eraseUser, input)
  const after = await eventually(async () => {
    const { entries } = await list({ limit: '1000' })
    const ofUser = entries.filter(({ subject }) => subject.id === user._id)
    return ofUser[0]?.action === 'user.erased' && !JSON.stringify(ofUser).includes(email) && ofUser
  }, 'the reduction')
  expect(after).toHaveLength(9)
  expect(after.some(({ details }) => details)).toBe(false)
  expect(after.find(({ action }) => action === 'user.invitation-accepted')).toMatchObject({
    actor: { _id: user._id, email: '' },
    address: '',
  })
})

test('When members change their own accounts, then they are the actors', async () => {
  const { user, token, password } = await newOrganiser(auth)
  const changed = await call(auth, changePassword, {
    token,
    body: { currentPassword: password, newPassword: 'another password' },
  })
  await call(auth, logoutAll, { token: changed.body.accessToken as string })
  const entries = await waitForEntries({ actor: user._id }, 3)
  expect(entries.map(({ action }) => action)).toEqual([
    'user.signed-out-everywhere',
    'user.password-changed',
    'user.created',
  ])
  expect(await waitForEntries({ actor: user.email.toUpperCase() }, 3)).toEqual(entries)
})

test('When the same message arrives more than once, then there is one entry', async () => {
  const change = recordedChange()
  await Promise.all(Array.from({ length: 5 }, () => publish(change)))
  await publish(recordedChange({ eventId: change.eventId ?? '' }))
  expect(await waitForEntries({ eventId: change.eventId ?? '' }, 2)).toContainEqual(change)
})

test('When an entry arrives after the erasure of its event or its actor, then it is reduced', async () => {
  const change = recordedChange()
  await publish({ ...change, _id: newId(), action: 'event.deleted', details: undefined })
  await publish({
    ...recordedChange({ action: 'user.erased', details: undefined, eventId: undefined }),
    subject: { type: 'user', id: change.actor._id },
  })
  await publish(change)
  const reduced = await eventually(async () => {
    const { entries } = await list({ eventId: change.eventId ?? '', action: 'event.changed' })
    return entries.length === 1 && !entries[0]?.details && entries[0]?.address === '' && entries
  }, 'the reduction')
  const { details: _, ...kept } = change
  expect(reduced).toEqual([{ ...kept, actor: { _id: change.actor._id, email: '' }, address: '' }])
})

test('The list can be restricted to a time and an action, and is paged', async () => {
  const actor = { _id: newId(), email: 'times@example.com' }
  const at = (time: string) => publish(recordedChange({ actor, at: time }))
  const first = await at('2026-03-01T00:00:00.000Z')
  const second = await at('2026-03-01T23:59:59.999Z')
  const third = await at('2026-03-02T00:00:00.000Z')
  await waitForEntries({ actor: actor._id }, 3)
  const idsOf = async (query: Record<string, string>) =>
    (await list({ actor: actor._id, ...query })).entries.map(({ _id }) => _id)
  expect(await idsOf({ from: '2026-03-01', to: '2026-03-01' })).toEqual([second._id, first._id])
  expect(await idsOf({ from: '2026-03-01T23:00:00Z' })).toEqual([third._id, second._id])
  expect(await idsOf({ to: '2026-03-02T01:00:00+01:00' })).toEqual([second._id, first._id])
  expect(await idsOf({ action: 'event.deleted' })).toEqual([])

  const page = await list({ actor: actor._id, limit: '2' })
  expect(page.entries.map(({ _id }) => _id)).toEqual([third._id, second._id])
  expect(await idsOf({ after: page.nextCursor ?? '' })).toEqual([first._id])
})

test.each([
  ['actor', '$ne'],
  ['eventId', 'nonsense'],
  ['action', 'event.exploded'],
  ['from', 'yesterday'],
  ['to', '2026-13-01'],
  ['after', 'nonsense'],
  ['limit', '0'],
])('When the filter %s is %s, then the list is refused', async (name, value) => {
  const { status, body } = await call(auth, listAudit, { token: admin.token, query: { [name]: value } })
  expect([status, typeof body.message]).toEqual([400, 'string'])
})

test('No request changes or removes an entry', async () => {
  const [entry] = (await list({ limit: '1' })).entries
  for (const path of ['/api/admin/audit', `/api/admin/audit/${entry?._id}`])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${auth}${path}`, {
        method,
        headers: { Authorization: `Bearer ${admin.token}`, 'Content-Type': 'application/json' },
        body: '{}',
      })
      expect([404, 405]).toContain(response.status)
    }
})
