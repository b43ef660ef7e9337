import {
  createEventPass,
  createUploads,
  deleteEvent,
  EVENT_PASS_HEADER,
  findEventByCode,
  getEvent,
  updateEvent,
  type Event,
} from '@confetti/contracts'
import { call, eventually, newEvent, uniquePhoto, uploadForm } from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import { type Harness } from './harness.ts'
import { joinSystem } from './shared-system.ts'

let harness: Harness

beforeAll(async () => {
  harness = await joinSystem()
})

const find = async (code: string) => {
  const { status, body } = await call(harness.api, findEventByCode, { params: { code } })
  return [status, body.eventId ?? body.code]
}

test('When a guest types the code of an event, then it leads to the page of the event, until that is deleted', async () => {
  const { api, admin, organiser } = harness
  const { _id, name, shortCode = '' } = await newEvent(api, admin, organiser)
  const typed = `${shortCode.slice(0, 4)}-${shortCode.slice(4)}`.toLowerCase()
  expect(await find(typed)).toEqual([200, _id])
  const { body } = await call(api, getEvent, { params: { eventId: _id } })
  expect(body.name).toBe(name)
  await call(api, deleteEvent, { token: admin.token, params: { eventId: _id } })
  expect(await find(typed)).toEqual([404, 'code_not_found'])
})

test('When an event has a PIN, then guests open it and send photos by the PIN, or by the key in its links', async () => {
  const { api, admin, organiser } = harness
  const { _id: eventId, name } = await newEvent(api, admin, organiser)
  const params = { eventId }
  const changed = await call(api, updateEvent, {
    token: organiser.token,
    params,
    body: { settings: { pin: 'Tulip42' } },
  })
  const { uploadUrl, shortUrl = '' } = changed.body.event as Event
  const closed = await call(api, getEvent, { params })
  expect([closed.status, closed.body.code, closed.body.details]).toEqual([404, 'pin_required', { name }])
  const headers = { 'X-Guest-Token': closed.headers.get('X-Guest-Token') ?? '' }
  const send = async (pass: Record<string, string>) => {
    const body = uploadForm(eventId, 'Ann', [{ name: 'photo.jpg', bytes: await uniquePhoto() }])
    return call(api, createUploads, { headers: { ...headers, ...pass }, body })
  }
  await eventually(async () => (await send({})).body.code === 'pin_required', 'the PIN in uploads')

  const keyOf = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('key')
  for (const proof of [{ pin: 'tulip42' }, { key: keyOf(uploadUrl) }, { key: keyOf(shortUrl) }]) {
    const { status, body } = await call(api, createEventPass, { params, headers, body: proof })
    expect([proof, status]).toEqual([proof, 201])
    const pass = { [EVENT_PASS_HEADER]: String(body.pass) }
    expect((await call(api, getEvent, { params, headers: { ...headers, ...pass } })).body.name).toBe(name)
    expect((await send(pass)).status).toBe(201)
  }
  const wrong = await call(api, createEventPass, { params, headers, body: { pin: 'rose42' } })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'pin_wrong'])
})
