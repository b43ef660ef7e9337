import { createTestEvent, type TestEvent } from '../smoke/test-event.ts'
import type { BenchSite } from './bench-site.ts'
import { createPhotoFactory } from './guest-files.ts'
import { sendAll } from './send-all.ts'
import { signIn } from './sign-in.ts'
import { MB } from './units.ts'

/** Creates an event with a gallery of `count` photos that are ready. The media worker is stopped afterwards. */
export const createGalleryEvent = async (
  { api, admin, system }: Pick<BenchSite, 'api' | 'admin' | 'system'>,
  count: number,
): Promise<TestEvent> => {
  const testEvent = await createTestEvent(api, 'Gallery', admin)
  const response = await fetch(`${api}/api/events/${testEvent.event._id}`, {
    method: 'PATCH',
    headers: await signIn(api, admin),
    body: JSON.stringify({ settings: { gallery: 'on' } }),
  })
  if (!response.ok) throw new Error(`The gallery was not opened: ${response.status}`)
  await Promise.all(system.replicas('media').map((worker) => worker.restart()))
  const createFiles = await createPhotoFactory({ maxBytes: 1 * MB })
  await sendAll(api, testEvent, createFiles(count))
  await testEvent.waitForProcessing()
  await Promise.all(system.replicas('media').map((worker) => worker.stop()))
  return testEvent
}
