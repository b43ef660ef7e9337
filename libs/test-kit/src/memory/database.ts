import { EventEmitter } from 'node:events'
import { aggregate } from 'mingo'
import { Context } from 'mingo/core'
import * as queryOperators from 'mingo/operators/query'
import { Query } from 'mingo/query'
import { update as applyUpdate, type Modifier } from 'mingo/updater'
import mongoose, { type Connection, type Schema } from 'mongoose'
import { createQueryShapes, type QueryShapes } from './query-shapes.ts'

// A MongoDB in memory, as far as the stores use it, below mongoose: the stores themselves run on it as they are.
// `libs/test-kit/test/database-contract.ts` shows that it answers as a real server does.

const { BSON, MongoServerError, MongoBulkWriteError } = mongoose.mongo

type Document = Record<string, unknown>
type Filter = Record<string, unknown>
type Update = Record<string, Document>

interface FindOptions {
  projection?: Document
  sort?: Record<string, 1 | -1>
  skip?: number
  limit?: number
}

interface UpdateOptions {
  upsert?: boolean
}

/** A write of `bulkWrite`. */
type Write =
  | { insertOne: { document: Document } }
  | { updateOne: { filter: Filter; update: Update; upsert?: boolean } }
  | { deleteOne: { filter: Filter } }

interface Collection {
  name: string
  /** By the text of their ids. */
  documents: Map<string, Document>
  /** The unique indexes, that of the id excepted. A sparse one ignores documents without its field. */
  uniqueIndexes: { fields: string[]; isSparse: boolean }[]
  shapes: QueryShapes
}

// Made once: mingo copies all of its operators for each query.
const context = Context.init({ query: queryOperators })
const everything = new Query({}, { context })

/** A way to the server or back, which may take any time, fail, or never end. */
export type Turn = (label: string) => Promise<void>

/** What the server stores and returns: undefined becomes null, and nobody else holds the same objects. */
const copyOf = <T extends Document>(document: T): T =>
  BSON.deserialize(BSON.serialize(document, { ignoreUndefined: false })) as T

const keyOf = (id: unknown): string => (typeof id === 'string' ? id : String(id))

const duplicateKey = ({ name }: Collection, fields: readonly string[]) =>
  new MongoServerError({
    code: 11_000,
    message: `E11000 duplicate key error collection: ${name} index: ${fields.map((field) => `${field}_1`).join('_')}`,
  })

const valueAt = (document: Document, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Document | undefined)?.[key] ?? null, document)

const assertUnique = (collection: Collection, document: Document): void => {
  for (const { fields, isSparse } of collection.uniqueIndexes) {
    if (isSparse && fields.every((field) => valueAt(document, field) === null)) continue
    for (const other of collection.documents.values())
      if (
        keyOf(other._id) !== keyOf(document._id) &&
        fields.every((field) => keyOf(valueAt(other, field)) === keyOf(valueAt(document, field)))
      )
        throw duplicateKey(collection, fields)
  }
}

const insert = (collection: Collection, inserted: Document): void => {
  inserted._id ??= new mongoose.Types.ObjectId()
  const document = copyOf(inserted)
  if (collection.documents.has(keyOf(document._id))) throw duplicateKey(collection, ['_id'])
  assertUnique(collection, document)
  collection.documents.set(keyOf(document._id), document)
}

/** The fields that an upsert takes from its filter. */
const equalities = (filter: Filter): Document =>
  Object.fromEntries(
    Object.entries(filter).filter(
      ([field, condition]) =>
        !field.startsWith('$') &&
        !(
          typeof condition === 'object' &&
          condition !== null &&
          Object.keys(condition).some((key) => key.startsWith('$'))
        ),
    ),
  )

const matching = (collection: Collection, filter: Filter, sort?: FindOptions['sort']): Document[] => {
  const { _id } = filter
  collection.shapes.record(filter, sort)
  const query = new Query(filter, { context })
  // Most queries name one id.
  const namesOne = typeof _id === 'string' || _id instanceof mongoose.Types.ObjectId
  const candidates = namesOne
    ? [collection.documents.get(keyOf(_id))].filter((document) => document !== undefined)
    : [...collection.documents.values()]
  return candidates.filter((document) => query.test(document))
}

const change = (
  collection: Collection,
  document: Document,
  { $setOnInsert: _, ...update }: Update,
): boolean => {
  const changed = copyOf(document)
  const paths = applyUpdate(changed, copyOf(update) as Modifier<Document>)
  if (collection.uniqueIndexes.some(({ fields }) => fields.some((field) => paths.includes(field))))
    assertUnique(collection, changed)
  collection.documents.set(keyOf(changed._id), changed)
  return paths.length > 0
}

const insertBy = (collection: Collection, filter: Filter, update: Update): Document => {
  const { $setOnInsert, $set, ...rest } = update
  const document: Document = copyOf(equalities(filter))
  applyUpdate(document, copyOf({ ...rest, $set: { ...$set, ...$setOnInsert } }) as Modifier<Document>)
  insert(collection, document)
  return document
}

const pageOf = (documents: Document[], { projection, sort, skip, limit }: FindOptions): Document[] => {
  // A limit of 0 is none.
  const end = limit ? (skip ?? 0) + limit : undefined
  if (!projection && !sort) return documents.slice(skip, end).map(copyOf)
  let cursor = everything.find<Document>(documents, projection)
  if (sort) cursor = cursor.sort(sort)
  return cursor.all().slice(skip, end).map(copyOf)
}

/** The driver's collection. Several writes of one call are several steps: others may come in between. */
const createCollection = (collection: Collection, turn: Turn) => {
  const step = async <T>(label: string, effect: () => T): Promise<T> => {
    await turn(`${collection.name} ${label}`)
    return effect()
  }
  /** Runs the effect, and returns its result or error after the way back. */
  const call = async <T>(label: string, effect: () => T | Promise<T>): Promise<T> => {
    const outcome = await step(label, effect).then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error
      },
    )
    await turn(`${collection.name} ${label} answered`)
    return outcome()
  }

  const updateOne = (filter: Filter, update: Update, { upsert }: UpdateOptions = {}) => {
    const [document] = matching(collection, filter)
    if (!document && upsert) {
      const { _id } = insertBy(collection, filter, update)
      return { acknowledged: true, matchedCount: 0, modifiedCount: 0, upsertedCount: 1, upsertedId: _id }
    }
    const isModified = document !== undefined && change(collection, document, update)
    return {
      acknowledged: true,
      matchedCount: document ? 1 : 0,
      modifiedCount: isModified ? 1 : 0,
      upsertedCount: 0,
      upsertedId: null,
    }
  }

  const deleteOne = (filter: Filter) => {
    const [document] = matching(collection, filter)
    if (document) collection.documents.delete(keyOf(document._id))
    return { acknowledged: true, deletedCount: document ? 1 : 0 }
  }

  /** Runs a step for each item; a failed write does not stop those after it. */
  const writeAll = async <T>(label: string, items: readonly T[], write: (item: T) => void): Promise<void> => {
    const writeErrors: { index: number; code: number; errmsg: string }[] = []
    await turn(`${collection.name} ${label}`)
    for (const [index, item] of items.entries()) {
      if (index > 0) await turn(`${collection.name} ${label} ${index}`)
      try {
        write(item)
      } catch (error) {
        const { code, message } = error as InstanceType<typeof MongoServerError>
        writeErrors.push({ index, code: Number(code), errmsg: message })
      }
    }
    await turn(`${collection.name} ${label} answered`)
    if (writeErrors.length > 0)
      throw new MongoBulkWriteError(
        { message: writeErrors[0]?.errmsg ?? '', code: 11_000, writeErrors: writeErrors as never },
        {} as never,
      )
  }

  return {
    collectionName: collection.name,

    createIndex: (fields: Document, options: { unique?: boolean; sparse?: boolean } = {}) =>
      call('createIndex', () => {
        const names = Object.keys(fields)
        collection.shapes.addIndex(names)
        const isKnown = collection.uniqueIndexes.some((known) => known.fields.join() === names.join())
        if (options.unique && !isKnown)
          collection.uniqueIndexes.push({ fields: names, isSparse: options.sparse === true })
        return names.join('_')
      }),

    insertOne: (document: Document) =>
      call('insertOne', () => {
        insert(collection, document)
        return { acknowledged: true, insertedId: document._id }
      }),

    insertMany: async (documents: readonly Document[]) => {
      await writeAll('insertMany', documents, (document) => insert(collection, document))
      return { acknowledged: true, insertedCount: documents.length }
    },

    find: (filter: Filter, options: FindOptions = {}) => ({
      // A whole list is read, whatever its order.
      toArray: () =>
        call('find', () =>
          pageOf(matching(collection, filter, options.limit ? options.sort : undefined), options),
        ),
    }),

    findOne: (filter: Filter, options: FindOptions = {}) =>
      call(
        'findOne',
        () => pageOf(matching(collection, filter, options.sort), { ...options, limit: 1 })[0] ?? null,
      ),

    updateOne: (filter: Filter, update: Update, options?: UpdateOptions) =>
      call('updateOne', () => updateOne(filter, update, options)),

    updateMany: async (filter: Filter, update: Update) => {
      await turn(`${collection.name} updateMany`)
      const found = matching(collection, filter)
      let modifiedCount = 0
      for (const [index, { _id }] of found.entries()) {
        if (index > 0) await turn(`${collection.name} updateMany ${index}`)
        modifiedCount += updateOne({ ...filter, _id }, update).modifiedCount
      }
      await turn(`${collection.name} updateMany answered`)
      return { acknowledged: true, matchedCount: found.length, modifiedCount }
    },

    findOneAndUpdate: (
      filter: Filter,
      update: Update,
      {
        upsert,
        returnDocument = 'before',
        projection,
        sort,
      }: UpdateOptions & FindOptions & { returnDocument?: 'before' | 'after' } = {},
    ) =>
      call('findOneAndUpdate', () => {
        const [before] = pageOf(matching(collection, filter, sort), { ...(sort && { sort }), limit: 1 })
        const { upsertedId } = updateOne(before ? { ...filter, _id: before._id } : filter, update, {
          ...(upsert && { upsert }),
        })
        const id = before?._id ?? upsertedId
        const after = id === null ? undefined : collection.documents.get(keyOf(id))
        const returned = returnDocument === 'after' ? after : before
        return returned ? (pageOf([returned], { ...(projection && { projection }) })[0] ?? null) : null
      }),

    deleteOne: (filter: Filter) => call('deleteOne', () => deleteOne(filter)),

    deleteMany: async (filter: Filter) => {
      await turn(`${collection.name} deleteMany`)
      let deletedCount = 0
      for (const [index, { _id }] of matching(collection, filter).entries()) {
        if (index > 0) await turn(`${collection.name} deleteMany ${index}`)
        deletedCount += deleteOne({ ...filter, _id }).deletedCount
      }
      await turn(`${collection.name} deleteMany answered`)
      return { acknowledged: true, deletedCount }
    },

    bulkWrite: async (writes: readonly Write[]) => {
      let matchedCount = 0
      await writeAll('bulkWrite', writes, (write) => {
        if ('insertOne' in write) insert(collection, write.insertOne.document)
        else if ('deleteOne' in write) deleteOne(write.deleteOne.filter)
        else {
          const { filter, update, upsert } = write.updateOne
          matchedCount += updateOne(filter, update, { ...(upsert && { upsert }) }).matchedCount
        }
      })
      return { matchedCount }
    },

    countDocuments: (filter: Filter, { limit }: { limit?: number } = {}) =>
      call('countDocuments', () => Math.min(matching(collection, filter).length, limit ?? Infinity)),

    aggregate: (pipeline: Document[]) => ({
      toArray: () =>
        call('aggregate', () => {
          const [{ $match = {} } = {}] = pipeline as { $match?: Filter }[]
          collection.shapes.record($match)
          return aggregate([...collection.documents.values()], pipeline).map(copyOf)
        }),
    }),
  }
}

/** A client of the driver that is connected; mongoose accepts no other object. */
const createClient = (database: unknown): mongoose.mongo.MongoClient => {
  const client = Object.create(mongoose.mongo.MongoClient.prototype) as mongoose.mongo.MongoClient
  EventEmitter.call(client)
  return Object.assign(client, {
    topology: { description: { type: 'in memory' } },
    s: { url: 'mongodb://memory/', options: { hosts: [] } },
    db: () => database,
    close: () => Promise.resolve(),
  })
}

type DriverCollection = ReturnType<typeof createCollection>
type FindCollection = (name: string) => DriverCollection

/** A connection of mongoose, and what it leads to. */
interface Line {
  connection: Connection
  leadTo: (find: FindCollection) => void
}

const nowhere: FindCollection = () => {
  throw new Error('The connection leads nowhere')
}

/** A connection that leads nowhere yet. Its models stay when it leads to another database. */
const createLine = (): Line => {
  let find = nowhere
  const connection = mongoose.createConnection()
  const database = {
    databaseName: 'memory',
    collection: (name: string) =>
      new Proxy({} as DriverCollection, { get: (_, method: keyof DriverCollection) => find(name)[method] }),
    // As a MongoDB, not as FerretDB.
    command: () => Promise.resolve({ ok: 1 }),
  }
  connection.set('autoIndex', false)
  connection.set('autoCreate', false)
  connection.setClient(createClient(database))
  const compile = connection.model.bind(connection) as (name: string, schema?: Schema) => unknown
  connection.model = ((name: string, schema?: Schema) =>
    connection.models[name] ?? compile(name, schema)) as typeof connection.model
  return {
    connection,
    leadTo: (next) => {
      find = next
    },
  }
}

/**
 * Connections for services of one kind, which are used again: to compile the models of a service takes longer than a
 * simulated evening.
 */
export const createConnectionPool = () => {
  const free: Line[] = []
  const used: Line[] = []
  return {
    take: (find: FindCollection): Connection => {
      const line = free.pop() ?? createLine()
      used.push(line)
      line.leadTo(find)
      return line.connection
    },
    /** Nobody uses any of them any more. */
    release: (): void => {
      for (const line of used.splice(0)) {
        // What it led to can be forgotten, with all services that used it.
        line.leadTo(nowhere)
        free.push(line)
      }
    },
  }
}
export type ConnectionPool = ReturnType<typeof createConnectionPool>

/** A database, which outlives its connections. */
export const createMemoryDatabase = (pool: ConnectionPool = createConnectionPool()) => {
  const collections = new Map<string, Collection>()
  const find = (name: string): Collection => {
    const collection = collections.get(name) ?? {
      name,
      documents: new Map(),
      uniqueIndexes: [],
      shapes: createQueryShapes(),
    }
    collections.set(name, collection)
    return collection
  }
  return {
    /** What a collection has now. */
    read: (name: string): readonly Document[] => [...(collections.get(name)?.documents.values() ?? [])],
    /** The names of all collections. */
    names: (): string[] => [...collections.keys()],
    /** The shapes of queries, with the collection before them, that have no index on any of their fields. */
    listUnindexed: (): string[] =>
      [...collections.values()].flatMap(({ name, shapes }) =>
        shapes.listUnindexed().map((shape) => `${name}: ${shape}`),
      ),
    /** Connects a service. Each step of an operation waits for a turn first. */
    connect: (turn: Turn = () => Promise.resolve()): Connection => {
      const opened = new Map<string, DriverCollection>()
      return pool.take((name) => {
        const collection = opened.get(name) ?? createCollection(find(name), turn)
        opened.set(name, collection)
        return collection
      })
    },
  }
}
export type MemoryDatabase = ReturnType<typeof createMemoryDatabase>
