import { listActiveEvents, type Event } from '@confetti/contracts'
import { BlobServiceClient } from '@azure/storage-blob'
import { call, eventually, readGauge } from '@confetti/test-kit'
import { listUploads, type Harness } from '../harness.ts'

/** The ids of uploads that have blobs in the system's container, committed or not. */
const listStoredIds = async ({ system: { backends, namespace } }: Harness): Promise<Set<string>> => {
  const container = BlobServiceClient.fromConnectionString(backends.blob).getContainerClient(namespace)
  const ids = new Set<string>()
  for await (const { name } of container.listBlobsFlat({ includeUncommitedBlobs: true }))
    ids.add(name.split('/')[0] ?? name)
  return ids
}

const listUploadIds = async (harness: Harness): Promise<Set<string>> => {
  const { body } = await call(harness.api, listActiveEvents, { token: harness.admin.token })
  const lists = (body.events as Event[]).map(({ _id }) => listUploads(harness, _id))
  return new Set((await Promise.all(lists)).flat().map(({ _id }) => _id))
}

/** Resolves when no blobs without a record are left. Uploads that start meanwhile would count as such. */
export const waitForSweep = async (harness: Harness, timeoutMs = 90_000): Promise<void> => {
  const uploadIds = await listUploadIds(harness)
  await eventually(
    async () => [...(await listStoredIds(harness))].every((id) => uploadIds.has(id)),
    'the sweep of blobs without a record',
    timeoutMs,
  )
}

/** Resolves when the uploads service has released all memory that it reserved for files. */
export const waitForMemoryRelease = ({ system }: Harness): Promise<unknown> =>
  eventually(
    async () => (await readGauge(system, 'uploads', 'uploads_bytes_in_flight')) === 0,
    'the release of all bytes in flight',
  )
