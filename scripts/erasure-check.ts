import { setTimeout as sleep } from 'node:timers/promises'
import { connectBlobStorage, mayBelongTo } from '@confetti/blob-storage'
import { databaseUrl, serviceNames, services } from '@confetti/launcher'
import { openDeadLetters } from '@confetti/messaging'
import mongoose from 'mongoose'
import { namespace as defaultNamespace, readBackendAddresses } from './backend-addresses.ts'

// Lists what is left of an erased event or account, by its id or email address, in all databases, dead letters and blob
// storage. Ends with status 1 if anything is left, or if messages wait that may bring something back.

const usage = `npm run erasure:check -- <event id, user id or email address>

Without variables it checks the system that \`npm start\` runs in this checkout. For another one set
MONGO_URLS (the databases of all services, separated by commas), RABBITMQ_URL, RABBITMQ_NAMESPACE, and
BLOB_CONNECTION_STRING or BLOB_ACCOUNT_URL, and BLOB_CONTAINER.`

const HANDLING_MS = 3_000

const { MONGO_URLS, RABBITMQ_URL, BLOB_CONNECTION_STRING, BLOB_ACCOUNT_URL } = process.env
const namespace = process.env.RABBITMQ_NAMESPACE ?? defaultNamespace

const databasesOf = (mongo: string): string[] =>
  serviceNames
    .filter((name) => services[name].backends.includes('mongo'))
    .map((name) => databaseUrl(mongo, namespace, name))

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

const findInQueues = async (url: string, text: string): Promise<string[]> => {
  const deadLetters = await openDeadLetters({ url, namespace })
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

const findInBlobStorage = async (text: string): Promise<string[]> => {
  const connectionString = BLOB_ACCOUNT_URL
    ? undefined
    : (BLOB_CONNECTION_STRING ?? (await readBackendAddresses()).blob)
  const service = await connectBlobStorage({
    BLOB_CONNECTION_STRING: connectionString,
    BLOB_ACCOUNT_URL,
  })
  const container = service.getContainerClient(process.env.BLOB_CONTAINER ?? namespace)
  const found: string[] = []
  for await (const { name } of container.listBlobsFlat({ includeUncommitedBlobs: true })) {
    const uploadId = name.replace(/^staging\//, '').split('/')[0] ?? ''
    if (name.includes(text) || mayBelongTo(text, uploadId)) found.push(`blob ${name}`)
  }
  return found
}

const [text] = process.argv.slice(2)
if (!text) {
  console.error(usage)
  process.exitCode = 1
} else {
  const urls = MONGO_URLS?.split(',') ?? databasesOf((await readBackendAddresses()).mongo)
  const rabbitmq = RABBITMQ_URL ?? (await readBackendAddresses()).rabbitmq
  const findAll = async (): Promise<string[]> => [
    ...(await Promise.all(urls.map((url) => findInDatabase(url, text)))).flat(),
    ...(await findInQueues(rabbitmq, text)),
    ...(await findInBlobStorage(text)),
  ]
  let found = await findAll()
  if (found.length === 0) {
    // The broker does not count messages that are being handled, which may bring something back.
    await sleep(HANDLING_MS)
    found = await findAll()
  }
  for (const trace of found) console.log(trace)
  console.log(found.length === 0 ? `Nothing is left of ${text}.` : `${found.length} traces of ${text}.`)
  process.exitCode = found.length === 0 ? 0 : 1
}
