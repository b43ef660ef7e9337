import { listActiveEvents, type Event } from '@confetti/contracts'
import { BlobServiceClient } from '@azure/storage-blob'
import { call, eventually, gauge } from '@confetti/test-kit'
import { listUploads, type Stand } from '../stand.ts'

/** The ids of uploads that have bytes in the stand's container, committed or not. */
const storedIds = async ({ system: { backends, namespace } }: Stand): Promise<Set<string>> => {
  const container = BlobServiceClient.fromConnectionString(backends.blob).getContainerClient(namespace)
  const ids = new Set<string>()
  for await (const { name } of container.listBlobsFlat({ includeUncommitedBlobs: true }))
    ids.add(name.split('/')[0] ?? name)
  return ids
}

const listedIds = async (stand: Stand): Promise<Set<string>> => {
  const { body } = await call(stand.api, listActiveEvents, { token: stand.admin.token })
  const lists = (body.events as Event[]).map(({ _id }) => listUploads(stand, _id))
  return new Set((await Promise.all(lists)).flat().map(({ _id }) => _id))
}

/** Resolves when no bytes are left that belong to no upload. To be called while nobody sends. */
export const whenSwept = async (stand: Stand, withinMs = 90_000): Promise<void> => {
  const listed = await listedIds(stand)
  await eventually(
    async () => [...(await storedIds(stand))].every((id) => listed.has(id)),
    'the sweep of bytes without a record',
    withinMs,
  )
}

/** Resolves when the uploads service has given back all memory that files took. */
export const whenMemoryIsGivenBack = ({ system }: Stand): Promise<unknown> =>
  eventually(
    async () => (await gauge(system, 'uploads', 'uploads_bytes_in_flight')) === 0,
    'the end of all bytes in flight',
  )
