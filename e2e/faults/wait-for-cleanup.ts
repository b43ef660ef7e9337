import { listActiveEvents, type Event } from '@confetti/contracts'
import { BlobServiceClient } from '@azure/storage-blob'
import { call, eventually, readGauge } from '@confetti/test-kit'
import { listUploads, type Harness } from '../harness.ts'

/** The names of the blobs in the system's container, committed or not. */
export const listBlobNames = async ({ system: { backends, namespace } }: Harness): Promise<string[]> => {
  const container = BlobServiceClient.fromConnectionString(backends.blob).getContainerClient(namespace)
  const names: string[] = []
  for await (const { name } of container.listBlobsFlat({ includeUncommitedBlobs: true })) names.push(name)
  return names
}

/** The ids of all uploads that are listed. */
export const listUploadIds = async (harness: Harness): Promise<Set<string>> => {
  const { body } = await call(harness.api, listActiveEvents, { token: harness.admin.token })
  const lists = (body.events as Event[]).map(({ _id }) => listUploads(harness, _id))
  return new Set((await Promise.all(lists)).flat().map(({ _id }) => _id))
}

/** Resolves when no blobs are left but those of `uploadIds`, whose staged blocks are removed as well. */
export const waitForRemovalOfOthers = (
  harness: Harness,
  uploadIds: ReadonlySet<string>,
  timeoutMs = 90_000,
): Promise<unknown> =>
  eventually(
    // The blobs of an upload are in a folder with its id, its staged blocks in another one.
    async () => (await listBlobNames(harness)).every((name) => uploadIds.has(name.split('/')[0] ?? name)),
    'the sweep of blobs without a record',
    timeoutMs,
  )

/** Resolves when no blobs without a record are left. Uploads that start meanwhile would count as such. */
export const waitForSweep = async (harness: Harness, timeoutMs?: number): Promise<void> => {
  await waitForRemovalOfOthers(harness, await listUploadIds(harness), timeoutMs)
}

/** Resolves when the uploads service has released all memory that it reserved for files. */
export const waitForMemoryRelease = ({ system }: Harness): Promise<unknown> =>
  eventually(
    async () => (await readGauge(system, 'uploads', 'uploads_bytes_in_flight')) === 0,
    'the release of all bytes in flight',
  )
