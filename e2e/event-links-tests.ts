import { deleteEvent, findEventByCode, getEvent } from '@confetti/contracts'
import { call, newEvent } from '@confetti/test-kit'
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
