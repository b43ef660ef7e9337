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
import { beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import { checkErasure, findTraces } from './check-erasure.ts'
import { type Harness } from './harness.ts'
import { advanceClock, joinSystem } from './shared-system.ts'

let harness: Harness

beforeAll(async () => {
  harness = await joinSystem()
})

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

const hasTraces = async (text: string): Promise<boolean> => (await findTraces(harness, text)).length > 0
const waitForNothingOf = (text: string) =>
  eventually(async () => !(await hasTraces(text)), `the erasure of ${text}`)

test('When an event is deleted, then the check finds nothing of it, and the audit log keeps only what was done', async () => {
  const { api, admin, organiser, system } = harness
  const event = await newEvent(api, admin, organiser)
  await send(event)
  const input = { token: admin.token, params: { eventId: event._id } }
  await call(api, publicRoutes.updateEvent, { ...input, body: { name: 'A secret name' } })
  const [changed] = await eventually(async () => {
    const found = await auditOf({ eventId: event._id, action: 'event.changed' })
    return found.length > 0 && found
  }, 'the entry of the change')
  expect(changed).toMatchObject({
    actor: { _id: admin.user._id, email: admin.user.email },
    subject: { type: 'event', id: event._id },
    details: { name: { to: 'A secret name' } },
  })
  expect(await hasTraces('A secret name')).toBe(true)
  const before = await checkErasure(harness, event._id)
  expect(before.code).toBe(1)
  for (const trace of [
    /-events, events\//,
    /-uploads, events\//,
    /-uploads, uploads\//,
    /blob \w+\/original/,
  ])
    expect(before.output).toMatch(trace)

  await call(api, publicRoutes.deleteEvent, input)
  await eventually(
    () =>
      system.log.some(
        (line) => line.includes('waiting for requests in progress') && line.includes(event._id),
      ),
    'the erasure to wait for requests',
  )
  advanceClock(20_000)
  await waitForNothingOf(event._id)
  await waitForNothingOf('A secret name')
  expect(await checkErasure(harness, event._id)).toEqual({
    code: 0,
    output: `Nothing is left of ${event._id}.\n`,
  })
  expect(await hasTraces(harness.event._id)).toBe(true)
  const entries = await auditOf({ eventId: event._id })
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['event.deleted', undefined],
    ['event.changed', undefined],
    ['event.created', undefined],
  ])
})

test('When something of an event is left in a database, blob storage or a dead letter, then the check finds it', async () => {
  const { api, admin, organiser, system } = harness
  const { _id: eventId } = await newEvent(api, admin, organiser)
  const ids = [
    (await newTicket(api, eventId, await photo())).uploadId,
    (await newTicket(api, eventId, await photo())).uploadId,
  ] as const
  const find = () => findTraces(harness, eventId)
  const container = BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(
    system.namespace,
  )
  const blobs = [`${ids[0]}/original`, `staging/${ids[1]}`].map((name) => container.getBlockBlobClient(name))
  const databases = await Promise.all(
    servicesWithDatabase.map((service) =>
      mongoose.createConnection(databaseUrl(system.backends.mongo, system.namespace, service)).asPromise(),
    ),
  )
  const documents = databases.map((database) => {
    const name = database.name.endsWith('-auth') ? 'auditentries' : 'planted'
    const collection = database.collection<{ _id: string; details: object }>(name)
    return { collection, trace: `database ${database.name}, ${name}/planted` }
  })
  const planted = [...documents.map(({ trace }) => trace), ...blobs.map(({ name }) => `blob ${name}`)]

  for (const { collection } of documents)
    await collection.insertOne({ _id: 'planted', details: { about: eventId } })
  // Not committed.
  for (const blob of blobs) await blob.stageBlock(Buffer.from('000000').toString('base64'), 'x', 1)
  expect(await find()).toEqual(expect.arrayContaining(planted))

  for (const { collection } of documents) await collection.deleteOne({ _id: 'planted' })
  for (const blob of blobs) {
    await blob.upload('', 0)
    await blob.delete()
  }
  const left = await find()
  expect(planted.filter((trace) => left.includes(trace))).toEqual([])
  await Promise.all(databases.map((database) => database.close()))

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
    async () =>
      (await find()).some((trace) => /^dead letter \S+ of queue uploads\.event-changed$/.test(trace)),
    'the dead letter being found',
  )
})

test('When an account is erased that has written, organised and replied, then the check finds nothing of it', async () => {
  const { api, system, admin } = harness
  const [organiser, secondAdmin] = [await newOrganiser(api), await newAdmin(system, api)]
  const event = await newEvent(api, secondAdmin, organiser)
  for (const { user } of [organiser, secondAdmin])
    await call(api, publicRoutes.inviteOrganiser, {
      token: secondAdmin.token,
      params: { eventId: harness.event._id },
      body: { email: user.email },
    })
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
    expect(await hasTraces(user.email)).toBe(true)
    const erased = await call(api, publicRoutes.eraseUser, {
      token: admin.token,
      params: { userId: user._id },
    })
    expect(erased.status).toBe(200)
    await waitForNothingOf(user.email)
    // By the empty record, access tokens are known to be revoked until they have expired.
    await eventually(async () => {
      const [trace, ...others] = await findTraces(harness, user._id)
      return others.length === 0 && trace?.endsWith(`-auth, users/${user._id}`)
    }, `the erasure of ${user._id}`)
  }
  const entries = await eventually(async () => {
    const found = await auditOf({ eventId: event._id, action: 'event.created' })
    return found[0]?.actor.email === '' && found
  }, 'the reduced entry')
  expect(entries).toMatchObject([{ actor: { _id: secondAdmin.user._id, email: '' }, address: '' }])
})
