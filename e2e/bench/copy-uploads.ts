import { BlobServiceClient } from '@azure/storage-blob'
import type { blobNames } from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import mongoose, { type mongo } from 'mongoose'
import type { BenchSystem } from './bench-system.ts'
import { mapConcurrently } from './send-all.ts'

const BATCH_SIZE = 500
const CONNECTIONS = 20

interface UploadRecord {
  _id: mongo.ObjectId
  eventId: string
  filename: string
  uploadedAt: Date
}

interface Options {
  eventId: string
  count: number
  /** Each copy has one of its own; there are no other blobs. */
  image: typeof blobNames.thumbnail
}

/** Copies uploads of an event that are ready until it has `count`. The media worker would take an hour for 10,000. */
export const copyUploads = async (
  { backends, namespace }: Pick<BenchSystem, 'backends' | 'namespace'>,
  { eventId, count, image }: Options,
): Promise<void> => {
  const connection = await mongoose
    .createConnection(databaseUrl(backends.mongo, namespace, 'uploads'))
    .asPromise()
  const records = connection.collection<UploadRecord>('uploads')
  const container = BlobServiceClient.fromConnectionString(backends.blob).getContainerClient(namespace)
  const blobOf = ({ _id }: UploadRecord) => container.getBlockBlobClient(image(_id.toHexString()))
  const originals = await records.find({ eventId, status: 'ready' }).toArray()
  const images = await Promise.all(originals.map((original) => blobOf(original).downloadToBuffer()))

  const copies = Array.from({ length: count - originals.length }, (_, number) => {
    const index = number % originals.length
    const [original, bytes] = [originals[index], images[index]]
    if (!original || !bytes) throw new Error('No upload of the event is ready')
    const uploadedAt = new Date(original.uploadedAt.getTime() - number * 1_000)
    const key = `${original.filename}-${number}`
    const _id = new mongoose.Types.ObjectId()
    const record = { ...original, _id, uploadedAt, filename: key, filenameKey: key, contentKey: key }
    return { record, bytes }
  })
  await mapConcurrently(copies, CONNECTIONS, async ({ record, bytes }) => {
    await blobOf(record).uploadData(bytes, { blobHTTPHeaders: { blobContentType: 'image/webp' } })
  })
  for (let start = 0; start < copies.length; start += BATCH_SIZE)
    await records.insertMany(copies.slice(start, start + BATCH_SIZE).map(({ record }) => record))
  await connection.close()
}
