import {
  eventually,
  followLive,
  followLiveOnce,
  newOrganiser,
  readGauge,
  sendFiles,
  uniquePhoto,
} from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import { waitForProcessing, type Harness } from './harness.ts'
import { startLiveFollower } from './live-follower.ts'
import { joinReplicatedSystem } from './shared-system.ts'

let harness: Harness

beforeAll(async () => {
  harness = await joinReplicatedSystem()
})

test('When a guest sends photos, then the open pages of organiser and admin are notified of each once, through the gateway', async () => {
  const { api, event, organiser, admin } = harness
  const pages = [organiser, admin, organiser].map(({ token }) => startLiveFollower(api, event._id, { token }))
  await eventually(() => pages.every((page) => page.isConnected()), 'the streams')
  const sent: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const { body } = await sendFiles(api, event._id, [{ name: `${n}.jpg`, bytes: await uniquePhoto() }])
    sent.push(body.uploads[0]._id as string)
  }
  for (const page of pages) {
    await eventually(() => sent.every((id) => page.added().includes(id)), 'all photos on the page')
    // Each replica of uploads publishes on its own, so they come in any order.
    expect(page.added().toSorted()).toEqual(sent.toSorted())
    expect(page.countConnections()).toBe(1)
  }
  for (const page of pages) await page.stop()
  await eventually(async () => (await readGauge(harness.system, 'live', 'live_streams')) === 0)
  for (const id of sent) await waitForProcessing(harness, id)
})

test('When another organiser or a guest follows an event, then the response is 404', async () => {
  const { api, event, organiser } = harness
  const stranger = await newOrganiser(api)
  const allowed = await followLive(api, event._id, { token: organiser.token })
  expect(allowed.status).toBe(200)
  allowed.disconnect()
  for (const options of [{}, { token: stranger.token }, { wallKey: 'nonsense' }])
    expect((await followLiveOnce(api, event._id, options)).status).toBe(404)
})

test('When each gateway and each replica of live is restarted, then the streams move, and no photo is missed', async () => {
  const { api, event, organiser, system } = harness
  const pages = Array.from({ length: 6 }, () => startLiveFollower(api, event._id, { token: organiser.token }))
  await eventually(() => pages.every((page) => page.isConnected()), 'the streams')
  for (const replica of [...system.replicas('live'), ...system.replicas('gateway')]) {
    expect(await replica.stop()).toBe(0)
    await replica.restart()
    await eventually(() => pages.every((page) => page.isConnected()), 'the streams after a restart')
  }
  const { body } = await sendFiles(api, event._id, [{ name: 'last.jpg', bytes: await uniquePhoto() }])
  const uploadId = body.uploads[0]._id as string
  for (const page of pages) {
    await eventually(() => page.added().includes(uploadId), 'the photo on the page')
    expect(page.added().filter((id) => id === uploadId)).toHaveLength(1)
    await page.stop()
  }
})
