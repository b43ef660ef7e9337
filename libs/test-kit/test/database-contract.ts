import { createUniqueIndexWherePresent, isDuplicateKey } from '@confetti/service-kit'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import mongoose, { type Connection, type Model } from 'mongoose'

const { ObjectId } = mongoose.mongo

interface Item {
  _id: string | InstanceType<typeof ObjectId>
  at?: Date | number
  count?: number
  credit?: string
  gone?: string
  hidden?: boolean | null
  isOdd?: boolean
  key?: number
  kind?: string
  list?: number[]
  n?: number
  name?: string
  nested?: object
  nothing?: undefined
  organisers?: { _id: string }[]
  other?: number
  owners?: string | string[]
  same?: number
  secret?: number
  size?: number
  usage?: { at: number }
}

/**
 * What the services rely on in a database, for a real server and for the one in memory. FerretDB, which stands in for
 * MongoDB, differs in some places; `libs/service-kit/src/ferretdb` is where that is dealt with, and is called here only
 * where the servers have no call in common.
 */
export const describeDatabase = (name: string, connect: () => Promise<Connection>): void => {
  describe(name, () => {
    let connection: Connection
    let collections = 0
    beforeAll(async () => {
      connection = await connect()
    })
    afterAll(() => connection.close())

    const newCollection = async (...documents: Item[]) => {
      collections += 1
      const collection = connection.collection<Item>(`items${collections}`)
      if (documents.length > 0) await collection.insertMany(documents)
      return collection
    }
    type Collection = Awaited<ReturnType<typeof newCollection>>
    const idsOf = async (collection: Collection, filter: object): Promise<unknown[]> =>
      (await collection.find(filter, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id)

    test('When a document is inserted, then it is read as it was written, and undefined as null', async () => {
      const collection = await newCollection()
      const document = {
        _id: new ObjectId(),
        at: new Date(0),
        nested: { list: [1, 'two', { three: 3 }] },
        nothing: undefined,
      }
      await collection.insertOne(document)
      document.nested.list.push(4)
      expect(await collection.findOne({ _id: document._id })).toEqual({
        _id: document._id,
        at: new Date(0),
        nested: { list: [1, 'two', { three: 3 }] },
        nothing: null,
      })
      expect(await collection.findOne({ _id: 'another' })).toBeNull()
    })

    test('When an id or a value of a unique index exists, then inserting and changing fail with a duplicate key', async () => {
      const collection = await newCollection({ _id: 'a', key: 1 }, { _id: 'b', key: 2 })
      await collection.createIndex({ key: 1 }, { unique: true }, {})
      const writes = [
        () => collection.insertOne({ _id: 'a', key: 3 }),
        () => collection.insertOne({ _id: 'c', key: 1 }),
        () => collection.updateOne({ _id: 'a' }, { $set: { key: 2 } }),
        () => collection.updateOne({ _id: 'a', key: 9 }, { $set: { other: 1 } }, { upsert: true }),
      ]
      for (const write of writes)
        expect(isDuplicateKey(await write().catch((error: unknown) => error))).toBe(true)
      expect(await collection.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
        { _id: 'a', key: 1 },
        { _id: 'b', key: 2 },
      ])
    })

    test('When a unique index is only of documents that have its field, then any number lack it', async () => {
      const collection = await newCollection({ _id: 'a' }, { _id: 'b' }, { _id: 'c', key: 1 })
      const model = { collection, db: connection } as unknown as Model<{ key: number }>
      await createUniqueIndexWherePresent(model, 'key')
      await collection.insertOne({ _id: 'd' })
      const writes = [
        () => collection.insertOne({ _id: 'e', key: 1 }),
        () => collection.updateOne({ _id: 'a' }, { $set: { key: 1 } }),
      ]
      for (const write of writes)
        expect(isDuplicateKey(await write().catch((error: unknown) => error))).toBe(true)
      await collection.updateOne({ _id: 'c' }, { $unset: { key: '' } })
      await collection.updateOne({ _id: 'a' }, { $set: { key: 1 } })
      expect(await idsOf(collection, { key: 1 })).toEqual(['a'])
    })

    test('When some of many cannot be inserted, then the others are, and the error names those by their positions', async () => {
      const collection = await newCollection({ _id: 'b' })
      const error: unknown = await collection
        .insertMany([{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }, { _id: 'c' }], { ordered: false })
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(mongoose.mongo.MongoBulkWriteError)
      const errors = [(error as InstanceType<typeof mongoose.mongo.MongoBulkWriteError>).writeErrors].flat()
      expect(errors.map(({ index }) => index)).toEqual([1, 3])
      expect(errors.every(isDuplicateKey)).toBe(true)
      expect(await idsOf(collection, {})).toEqual(['a', 'b', 'c'])
    })

    test.each<[string, object, string[]]>([
      ['null also finds what lacks the field', { hidden: null }, ['a', 'c']],
      ['$ne null', { hidden: { $ne: null } }, ['b']],
      ['$ne a value', { hidden: { $ne: true } }, ['a', 'c']],
      ['$exists', { hidden: { $exists: true } }, ['a', 'b']],
      ['$exists false', { hidden: { $exists: false } }, ['c']],
      ['$in', { _id: { $in: ['a', 'c', 'x'] } }, ['a', 'c']],
      ['a date from a time', { at: { $gte: new Date(2_000) } }, ['b', 'c']],
      ['a date in a range', { at: { $gt: new Date(1_000), $lte: new Date(2_000) } }, ['b']],
      ['a value in a list', { owners: 'x' }, ['a', 'b']],
      ['a field of documents in a list', { 'organisers._id': '2' }, ['c']],
      ['a nested field', { 'usage.at': { $lt: 5 } }, ['a']],
      [
        '$or beside another condition',
        { owners: 'x', $or: [{ at: new Date(1_000) }, { hidden: null }] },
        ['a'],
      ],
      ['a text that begins so', { name: { $regex: '^Su' } }, ['a']],
      ['an absent time before another', { 'usage.at': { $lt: 100 }, hidden: null }, ['a']],
    ])('When documents are searched for by %s, then those are found', async (_, filter, ids) => {
      const collection = await newCollection(
        { _id: 'a', at: new Date(1_000), hidden: null, owners: 'x', usage: { at: 1 }, name: 'Summer' },
        { _id: 'b', at: new Date(2_000), hidden: true, owners: ['x', 'y'], usage: { at: 9 }, name: 'Winter' },
        { _id: 'c', at: new Date(3_000), owners: ['y'], organisers: [{ _id: '1' }, { _id: '2' }] },
      )
      expect(await idsOf(collection, filter)).toEqual(ids)
    })

    test('When ids of the driver are compared, then they are in the order of their bytes', async () => {
      const ids = ['0a', '0b', 'a0'].map((start) => new ObjectId(start + '0'.repeat(22)))
      const collection = await newCollection(...ids.map((_id) => ({ _id })))
      expect(await idsOf(collection, { _id: { $lt: ids[2] } })).toEqual(ids.slice(0, 2))
      expect(await idsOf(collection, { _id: { $in: [ids[1]] } })).toEqual([ids[1]])
    })

    test('When a page is read, then it is sorted, limited, and has the fields of its projection', async () => {
      const collection = await newCollection(
        { _id: 'a', at: 2, secret: 1 },
        { _id: 'b', at: 1, secret: 1 },
        { _id: 'c', at: 2, secret: 1 },
      )
      const page = { projection: { secret: 0 }, sort: { at: -1, _id: -1 }, limit: 2 } as const
      expect(await collection.find({}, page).toArray()).toEqual([
        { _id: 'c', at: 2 },
        { _id: 'a', at: 2 },
      ])
      expect(await collection.find({ at: 1 }, { projection: { _id: 1 } }).toArray()).toEqual([{ _id: 'b' }])
      expect(await collection.countDocuments({ at: 2 })).toBe(2)
      expect(await collection.countDocuments({}, { limit: 1 })).toBe(1)
    })

    test('When a document is changed, then by each operator, and the counts say what was found and changed', async () => {
      const collection = await newCollection({ _id: 'a', count: 1, list: [1], gone: 'x', same: 1 })
      const update = {
        $set: { same: 2, 'nested.field': 1 },
        $unset: { gone: 1 },
        $inc: { count: 2 },
      } as const
      expect(
        await collection.updateOne({ _id: 'a' }, { ...update, $push: { list: { $each: [2, 3] } } }),
      ).toMatchObject({ matchedCount: 1, modifiedCount: 1 })
      expect(await collection.findOne({ _id: 'a' })).toEqual({
        _id: 'a',
        count: 3,
        list: [1, 2, 3],
        same: 2,
        nested: { field: 1 },
      })
      expect(await collection.updateOne({ _id: 'a' }, { $set: { same: 2 } })).toMatchObject({
        matchedCount: 1,
        modifiedCount: 0,
      })
      expect(await collection.updateOne({ _id: 'b' }, { $set: { same: 2 } })).toMatchObject({
        matchedCount: 0,
      })
      await collection.updateOne({ _id: 'a' }, { $max: { count: 2 } })
      await collection.updateOne({ _id: 'a' }, { $max: { same: 9 } })
      expect(await collection.findOne({ _id: 'a' })).toMatchObject({ count: 3, same: 9 })
    })

    test('When an update inserts what it does not find, then the document has what was searched for and set', async () => {
      const collection = await newCollection()
      const upsert = { upsert: true } as const
      const update = { $set: { b: 2 }, $setOnInsert: { c: 3 }, $inc: { n: 1 } } as const
      expect(
        await collection.updateOne({ _id: 'a', kind: 'x', n: { $lt: 5 } }, update, upsert),
      ).toMatchObject({
        matchedCount: 0,
        upsertedCount: 1,
      })
      expect(await collection.findOne({ _id: 'a' })).toEqual({ _id: 'a', kind: 'x', b: 2, c: 3, n: 1 })
      await collection.updateOne({ _id: 'a' }, { $set: { b: 4 }, $setOnInsert: { c: 5 } }, upsert)
      expect(await collection.findOne({ _id: 'a' })).toMatchObject({ b: 4, c: 3 })
    })

    test('When a document is found and changed, then it is returned before or after that, or not at all', async () => {
      const collection = await newCollection({ _id: 'a', n: 1 })
      const increment = { $inc: { n: 1 } } as const
      const after = { returnDocument: 'after' } as const
      expect(await collection.findOneAndUpdate({ _id: 'a' }, increment)).toEqual({ _id: 'a', n: 1 })
      expect(await collection.findOneAndUpdate({ _id: 'a' }, increment, after)).toEqual({ _id: 'a', n: 3 })
      expect(await collection.findOneAndUpdate({ _id: 'b' }, increment, after)).toBeNull()
      expect(await collection.findOneAndUpdate({ _id: 'b' }, increment, { ...after, upsert: true })).toEqual({
        _id: 'b',
        n: 1,
      })
    })

    test('When many are changed or removed, then the counts are those of all', async () => {
      const collection = await newCollection(
        ...['a', 'b', 'c', 'd'].map((_id, n) => ({ _id, n, isOdd: n % 2 === 1 })),
      )
      expect(await collection.updateMany({ isOdd: true }, { $set: { n: 9 } })).toMatchObject({
        matchedCount: 2,
        modifiedCount: 2,
      })
      const changes = [
        { updateOne: { filter: { _id: 'a', n: 0 }, update: { $set: { n: 5 } } } },
        { updateOne: { filter: { _id: 'b', n: 0 }, update: { $set: { n: 5 } } } },
      ]
      expect((await collection.bulkWrite(changes, { ordered: false })).matchedCount).toBe(1)
      expect((await collection.find({}, { sort: { _id: 1 } }).toArray()).map(({ n }) => n)).toEqual([
        5, 9, 2, 9,
      ])
      expect((await collection.deleteMany({ n: 9 })).deletedCount).toBe(2)
      expect((await collection.deleteOne({ _id: 'a' })).deletedCount).toBe(1)
      expect((await collection.deleteOne({ _id: 'a' })).deletedCount).toBe(0)
      expect(await idsOf(collection, {})).toEqual(['c'])
    })

    test('When documents are grouped, then their values are summed and counted', async () => {
      const collection = await newCollection(
        { _id: 'a', credit: 'x', size: 1 },
        { _id: 'b', credit: 'y', size: 2 },
        { _id: 'c', credit: 'x', size: 4 },
      )
      const count = [{ $match: { size: { $gt: 0 } } }, { $group: { _id: '$credit' } }, { $count: 'credits' }]
      expect(await collection.aggregate(count).toArray()).toEqual([{ credits: 2 }])
      const sum = [{ $group: { _id: null, size: { $sum: '$size' } } }]
      expect(await collection.aggregate(sum).toArray()).toEqual([{ _id: null, size: 7 }])
    })
  })
}
