import { connectBlobStorage, mayBelongTo } from '@confetti/blob-storage'
import { openDeadLetters } from '@confetti/messaging'
import mongoose from 'mongoose'

/** Where something of an event or account may be. */
export interface ErasurePlaces {
  /** The addresses of the databases of all services. */
  databaseUrls: readonly string[]
  broker: { url: string; namespace: string }
  storage: Parameters<typeof connectBlobStorage>[0]
  container: string
}

/** What the audit log keeps of an erased account or event: its id, in the entries about it. */
const withoutKeptIds = (collection: string, document: Record<string, unknown>): Record<string, unknown> =>
  collection === 'auditentries'
    ? { ...document, actorId: undefined, subjectId: undefined, eventId: undefined }
    : document

/** Whether a job of media is that of an upload of the event `text`. What is kept of deleted ones is only the upload's id. */
const isJobOf = (text: string, collection: string, { _id, state }: Record<string, unknown>): boolean =>
  collection === 'jobs' && state !== 'deleted' && mayBelongTo(text, String(_id))

/** The documents of a database that contain a text, as `database.collection/id`. */
const findInDatabase = async (url: string, text: string): Promise<string[]> => {
  const connection = await mongoose.createConnection(url, { serverSelectionTimeoutMS: 5_000 }).asPromise()
  try {
    const found: string[] = []
    for (const { name } of await connection.listCollections())
      for await (const document of connection.collection(name).find())
        if (JSON.stringify(withoutKeptIds(name, document)).includes(text) || isJobOf(text, name, document))
          found.push(`database ${connection.name}, ${name}/${String(document._id)}`)
    return found
  } finally {
    await connection.close()
  }
}

const findInQueues = async (broker: ErasurePlaces['broker'], text: string): Promise<string[]> => {
  const deadLetters = await openDeadLetters(broker)
  try {
    const letters = await deadLetters.list()
    const busy = await deadLetters.listBusyQueues()
    return [
      ...letters
        .filter(({ content }) => content.includes(text))
        .map(({ queue, messageId }) => `dead letter ${messageId} of queue ${queue}`),
      ...busy.map((queue) => `queue ${queue}: messages wait that were not read; check again`),
    ]
  } finally {
    await deadLetters.close()
  }
}

const findInBlobStorage = async (
  { storage, container }: Pick<ErasurePlaces, 'storage' | 'container'>,
  text: string,
): Promise<string[]> => {
  const blobs = (await connectBlobStorage(storage)).getContainerClient(container)
  const found: string[] = []
  for await (const { name } of blobs.listBlobsFlat({ includeUncommitedBlobs: true })) {
    const uploadId = name.replace(/^staging\//, '').split('/')[0] ?? ''
    if (name.includes(text) || mayBelongTo(text, uploadId)) found.push(`blob ${name}`)
  }
  return found
}

/**
 * Lists what is left of an event or account, by its id or email address, in databases, dead letters and blob storage, and
 * queues with messages that may bring something back.
 */
export const findErasureTraces = async (places: ErasurePlaces, text: string): Promise<string[]> => [
  ...(await Promise.all(places.databaseUrls.map((url) => findInDatabase(url, text)))).flat(),
  ...(await findInQueues(places.broker, text)),
  ...(await findInBlobStorage(places, text)),
]
