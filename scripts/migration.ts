import { addToOutbox, newMessage } from '@confetti/messaging'
import mongoose, { type Connection } from 'mongoose'

// Brings documents that version 0.1 has written to today's shape. Every change is written only while the document still
// has the old one, so services can run meanwhile, and a second run finds nothing.

/** The services that have data of version 0.1. */
export type MigratedService = 'auth' | 'events' | 'uploads' | 'media' | 'contact'

/** What is read of old documents. */
interface OldDocument {
  _id: unknown
  email: string
  role: 'user' | 'admin'
  language?: string
  active?: boolean
  revision?: number
  organiserId: string
  organiserEmail: string
  uploadedAt: Date
  askedAt?: Date
  changedAt?: Date
  measures?: object
  userEmail: string
  createdAt: Date
}

interface Step {
  service: MigratedService
  collection: string
  /** What is counted, for the report. */
  what: string
  isOld: object
  change: (document: OldDocument) => object | Promise<object>
}

const BATCH_SIZE = 500
const PROCESSING_TIMEOUT_MS = 900_000
/** Stands for an account that is not known. */
const UNKNOWN_ACCOUNT = '0'.repeat(24)

const publishAccount = ({ _id, email, role, language, active = true, revision = 0 }: OldDocument): object => {
  const account = { _id: String(_id), email, role, ...(language && { language }) }
  return addToOutbox(
    { isPublished: true },
    revision === 0
      ? newMessage('user.registered.v1', account)
      : newMessage('user.changed.v1', { ...account, active, revision }),
  )
}

const stepsWith = (findAccount: (email: string, before: Date) => Promise<string | undefined>): Step[] => [
  {
    service: 'auth',
    collection: 'users',
    what: 'accounts published, for services that are new',
    isOld: { isPublished: null, erased: null },
    change: publishAccount,
  },
  {
    service: 'auth',
    collection: 'sessions',
    what: 'sessions',
    isOld: { accountRevision: null },
    change: () => ({ $set: { accountRevision: 0 } }),
  },
  {
    service: 'events',
    collection: 'events',
    what: 'events',
    isOld: { revision: null, deletedAt: null },
    change: ({ organiserId, organiserEmail }) => ({
      $set: { organisers: [{ _id: organiserId, email: organiserEmail }], revision: 0 },
    }),
  },
  {
    service: 'events',
    collection: 'users',
    what: 'copies of accounts',
    isOld: { revision: null },
    change: () => ({ $set: { active: true, revision: 0 } }),
  },
  {
    service: 'uploads',
    collection: 'events',
    what: 'copies of events',
    isOld: { revision: null },
    change: ({ organiserId }) => ({ $set: { organisers: [organiserId], revision: 0 } }),
  },
  {
    service: 'uploads',
    collection: 'uploads',
    what: 'uploads',
    isOld: { processingRequestedAt: null },
    change: ({ uploadedAt, askedAt = uploadedAt }) => ({
      $set: {
        processingRequestedAt: askedAt,
        processingDueAt: new Date(uploadedAt.getTime() + PROCESSING_TIMEOUT_MS),
      },
    }),
  },
  {
    service: 'media',
    collection: 'jobs',
    what: 'jobs',
    isOld: { $or: [{ changedAt: null }, { measures: { $ne: null } }] },
    // A job is about as old as its upload, whose id starts with the time of its creation.
    change: ({ _id, measures, changedAt = new mongoose.Types.ObjectId(String(_id)).getTimestamp() }) => ({
      $set: { changedAt, ...(measures && { metadata: measures }) },
      $unset: { measures: '' },
    }),
  },
  {
    service: 'contact',
    collection: 'contacts',
    what: 'messages to the admins',
    isOld: { userId: null },
    change: async ({ userEmail, createdAt }) => ({
      $set: { userId: (await findAccount(userEmail, createdAt)) ?? UNKNOWN_ACCOUNT },
    }),
  },
]

const runStep = async (connection: Connection, { collection, isOld, change }: Step): Promise<number> => {
  const documents = connection.collection<OldDocument>(collection)
  let changed = 0
  let after = {}
  for (;;) {
    const batch = await documents
      .find({ ...isOld, ...after })
      .sort({ _id: 1 })
      .limit(BATCH_SIZE)
      .toArray()
    for (const document of batch) {
      const update = await change(document)
      changed += (await documents.updateOne({ ...isOld, _id: document._id }, update)).modifiedCount
    }
    if (batch.length < BATCH_SIZE) return changed
    after = { _id: { $gt: batch.at(-1)?._id } }
  }
}

/** Migrates the databases of these services, and reports what has been changed. */
export const migrate = async (
  urls: Readonly<Record<MigratedService, string>>,
  report: (line: string) => void,
): Promise<void> => {
  const connections = new Map<MigratedService, Connection>()
  try {
    for (const [service, url] of Object.entries(urls) as [MigratedService, string][])
      connections.set(service, await mongoose.createConnection(url).asPromise())
    const steps = stepsWith(async (email, before) => {
      // The address may be that of a later account.
      const filter = { email, createdAt: { $lte: before } }
      const account = await connections.get('auth')?.collection('users').findOne(filter)
      return account?._id.toHexString()
    })
    for (const step of steps) {
      const connection = connections.get(step.service)
      const changed = connection ? await runStep(connection, step) : 0
      report(`${step.service.padEnd(8)} ${String(changed).padStart(7)} ${step.what}`)
    }
  } finally {
    for (const connection of connections.values()) await connection.close()
  }
}
