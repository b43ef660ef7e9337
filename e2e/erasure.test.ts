import { BlobServiceClient } from '@azure/storage-blob'
import { publicRoutes, type AuditEntry, type Envelope, type Event } from '@confetti/contracts'
import { databaseUrl, servicesWithDatabase } from '@confetti/launcher'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  newTicket,
  publishAll,
  sendDirect,
  sendFiles,
  uniquePhoto,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import { checkErasure } from './check-erasure.ts'
import { startHarness, type Harness } from './harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.system.stop())

const photo = async () => ({ name: 'photo.jpg', bytes: await uniquePhoto() })
const send = async (event: Event): Promise<void> => {
  await sendFiles(harness.api, event._id, [await photo(), await photo()])
  await sendDirect(harness.api, event._id, await photo())
}

const auditOf = async (query: Record<string, string>): Promise<AuditEntry[]> => {
  const { api, admin } = harness
  const { body } = await call(api, publicRoutes.listAudit, { token: admin.token, query })
  return body.entries as AuditEntry[]
}

// Deletions promise one minute, which `npm run bench -- erasure` measures; each look takes seconds.
const ERASURE_MS = 150_000
const waitForNothingOf = (text: string) =>
  eventually(
    async () => {
      const result = await checkErasure(harness, text)
      return result.code === 0 && result
    },
    `the erasure of ${text}`,
    ERASURE_MS,
  )

test('When an event is deleted, then the check finds nothing of it, and before that it does', async () => {
  const { api, admin, organiser } = harness
  const event = await newEvent(api, admin, organiser)
  await send(event)
  const before = await checkErasure(harness, event._id)
  expect(before.code).toBe(1)
  for (const trace of [
    /-events, events\//,
    /-uploads, events\//,
    /-uploads, uploads\//,
    /blob \w+\/original/,
  ])
    expect(before.output).toMatch(trace)

  await call(api, publicRoutes.deleteEvent, { token: admin.token, params: { eventId: event._id } })
  const after = await waitForNothingOf(event._id)
  expect(after.output).toContain(`Nothing is left of ${event._id}.`)
  expect((await checkErasure(harness, harness.event._id)).code).toBe(1)
})

test('When something of an erased event is planted, then the check finds it', async () => {
  const { api, admin, organiser, system } = harness
  const { _id: eventId } = await newEvent(api, admin, organiser)
  const ids = [
    (await newTicket(api, eventId, await photo())).uploadId,
    (await newTicket(api, eventId, await photo())).uploadId,
  ] as const
  await call(api, publicRoutes.deleteEvent, { token: admin.token, params: { eventId } })
  await waitForNothingOf(eventId)
  const find = async () => (await checkErasure(harness, eventId)).output

  for (const service of servicesWithDatabase) {
    const database = await mongoose
      .createConnection(databaseUrl(system.backends.mongo, system.namespace, service))
      .asPromise()
    const planted = database.collection<{ _id: string; details?: object }>(
      service === 'auth' ? 'auditentries' : 'planted',
    )
    await planted.insertOne({ _id: 'planted', details: { about: eventId } })
    expect(await find()).toMatch(new RegExp(`-${service}, (auditentries|planted)/planted`))
    await planted.deleteOne({ _id: 'planted' })
    await database.close()
  }

  const container = BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(
    system.namespace,
  )
  for (const name of [`${ids[0]}/original`, `staging/${ids[1]}`]) {
    const blob = container.getBlockBlobClient(name)
    // Not committed.
    await blob.stageBlock(Buffer.from('000000').toString('base64'), 'x', 1)
    expect(await find()).toContain(`blob ${name}`)
    await blob.upload('', 0)
    await blob.delete()
  }
  await waitForNothingOf(eventId)

  // Not a valid message, so its consumers dead-letter it at once.
  const [type, source] = ['event.changed.v1', '/test'] as const
  const time = new Date().toISOString()
  const message = {
    specversion: '1.0',
    datacontenttype: 'application/json',
    id: 'planted',
    type,
    source,
    time,
  }
  await publishAll(system, [{ ...message, data: { _id: eventId } } as Envelope])
  await eventually(
    async () => /^dead letter \S+ of queue uploads\.event-changed$/m.test(await find()),
    'the dead letter being found',
  )
})

test('When an event is deleted, then the audit log says so, and what was changed before is removed from it', async () => {
  const { api, admin, organiser } = harness
  const event = await newEvent(api, admin, organiser)
  const input = { token: admin.token, params: { eventId: event._id } }
  await call(api, publicRoutes.updateEvent, { ...input, body: { name: 'A secret name' } })
  const [changed] = await eventually(async () => {
    const entries = await auditOf({ eventId: event._id, action: 'event.changed' })
    return entries.length > 0 && entries
  }, 'the entry of the change')
  expect(changed).toMatchObject({
    actor: { _id: admin.user._id, email: admin.user.email },
    subject: { type: 'event', id: event._id },
    details: { name: { to: 'A secret name' } },
  })
  expect((await checkErasure(harness, 'A secret name')).code).toBe(1)

  await call(api, publicRoutes.deleteEvent, input)
  await waitForNothingOf('A secret name')
  await waitForNothingOf(event._id)
  const entries = await auditOf({ eventId: event._id })
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['event.deleted', undefined],
    ['event.changed', undefined],
    ['event.created', undefined],
  ])
})

test('When an account is erased that has written, organised and replied, then the check finds nothing of it', async () => {
  const { api, system, admin } = harness
  const [organiser, secondAdmin] = [await newOrganiser(api), await newAdmin(system, api)]
  const event = await newEvent(api, secondAdmin, organiser)
  const contactInput = { token: organiser.token, body: { subject: 'A question', message: 'May I?' } }
  const sent = await call(api, publicRoutes.contactAdmin, contactInput)
  const { _id: contactId } = sent.body.contact as { _id: string }
  const other = await call(api, publicRoutes.contactAdmin, {
    ...contactInput,
    token: harness.organiser.token,
  })
  const { _id: otherContactId } = other.body.contact as { _id: string }
  for (const id of [contactId, otherContactId])
    await call(api, publicRoutes.replyToContact, {
      token: secondAdmin.token,
      params: { contactId: id },
      body: { message: 'You may.' },
    })
  for (const { user } of [organiser, secondAdmin]) {
    expect((await checkErasure(harness, user.email)).code).toBe(1)
    const erased = await call(api, publicRoutes.eraseUser, {
      token: admin.token,
      params: { userId: user._id },
    })
    expect(erased.status).toBe(200)
    await waitForNothingOf(user.email)
    // By the empty record, access tokens are known to be revoked until they have expired.
    const onlyRecord = new RegExp(`^database \\S+-auth, users/${user._id}\n1 traces`)
    await eventually(
      async () => onlyRecord.test((await checkErasure(harness, user._id)).output),
      `the erasure of ${user._id}`,
      ERASURE_MS,
    )
  }
  const entries = await eventually(async () => {
    const found = await auditOf({ eventId: event._id, action: 'event.created' })
    return found[0]?.actor.email === '' && found
  }, 'the reduced entry')
  expect(entries).toMatchObject([{ actor: { _id: secondAdmin.user._id, email: '' }, address: '' }])
})
