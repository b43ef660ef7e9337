import { eventually, testBackends } from '@confetti/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import mongoose, { Schema, Types, type Connection, type Model } from 'mongoose'
import { changeMany, computeTotals, findIn, insertBatches, returning } from '../src/ferretdb/ferretdb.ts'
import { isDuplicateKey } from '../src/mongo.ts'

interface Item {
  _id: Types.ObjectId
  name: string
  size: number
  isChanged?: boolean
}

const database = new Types.ObjectId().toHexString()
const connections: Connection[] = []

/** Connects, and has the server say of itself that it is one of the two, or what it is. */
const connect = async (buildInfo?: object): Promise<Connection> => {
  const connection = await mongoose
    .createConnection(`${testBackends().mongo}/${database}`, { monitorCommands: true })
    .asPromise()
  connections.push(connection)
  const { db } = connection
  if (!db) throw new Error('There is no database.')
  const command = db.command.bind(db)
  if (buildInfo)
    db.command = (...args: Parameters<typeof command>) =>
      'buildInfo' in (args[0] as object) ? Promise.resolve(buildInfo) : command(...args)
  return connection
}

/** What a connection sends to the server from now on. */
const recordCommands = (connection: Connection): string[] => {
  const names: string[] = []
  connection.getClient().on('commandStarted', ({ commandName }) => names.push(commandName))
  return names
}

let plain: Connection
let isFerretDb: boolean
beforeAll(async () => {
  plain = await connect()
  isFerretDb = 'ferretdbVersion' in ((await plain.db?.command({ buildInfo: 1 })) ?? {})
})
afterAll(async () => {
  await plain.dropDatabase()
  for (const connection of connections) await connection.close()
})

const items = Array.from({ length: 60 }, (_, index) => ({
  _id: new Types.ObjectId(),
  name: `name ${index % 7}`,
  size: index,
}))

describe.each([
  ['MongoDB', { version: '8.0.4' }],
  ['FerretDB', { version: '7.0.42', ferretdbVersion: 'v1.24.2' }],
])('When the server says that it is %s', (kind, buildInfo) => {
  const isFerretDbAssumed = kind === 'FerretDB'
  /** What FerretDB cannot do is asked of MongoDB alone. */
  const testWherePossible = (name: string, run: () => Promise<void>) =>
    test(name, async () => {
      if (isFerretDb && !isFerretDbAssumed) return
      await run()
    })

  let connection: Connection
  let model: Model<Item>
  beforeAll(async () => {
    connection = await connect(buildInfo)
    const schema = new Schema<Item>({ name: String, size: Number, isChanged: Boolean })
    model = connection.model<Item>('Item', schema, `items${kind}`)
  })
  beforeEach(async () => {
    await model.deleteMany({})
    await model.insertMany(items)
  })

  test('then documents are found by many values', async () => {
    const commands = recordCommands(connection)
    const wanted = items.slice(10, 35)
    const found = await findIn(
      model,
      '_id',
      wanted.map(({ _id }) => _id),
      { size: 1 },
    )
    expect(found.map(({ size }) => size).toSorted((a, b) => a - b)).toEqual(wanted.map(({ size }) => size))
    expect(found[0]).toEqual({ _id: expect.anything(), size: expect.any(Number) })
    expect(commands.filter((name) => name === 'find')).toHaveLength(isFerretDbAssumed ? 25 : 1)
    expect(await findIn(model, 'name', ['name 1', 'other'], {})).toHaveLength(9)
  })

  test('then many documents are changed, and those that matched are counted', async () => {
    const commands = recordCommands(connection)
    const ids = [...items.slice(0, 20).map(({ _id }) => _id), new Types.ObjectId()]
    const changes = ids.map((_id) => ({
      updateOne: { filter: { _id }, update: { $set: { isChanged: true } } },
    }))
    // More changes than FerretDB takes in one write are made in batches, whatever the server says.
    const some = isFerretDb && !isFerretDbAssumed ? changes.slice(-9) : changes
    expect(await changeMany(model, some)).toBe(some.length - 1)
    expect(await model.countDocuments({ isChanged: true })).toBe(some.length - 1)
    expect(commands.filter((name) => name === 'update')).toHaveLength(isFerretDbAssumed ? 3 : 1)
    expect(await changeMany(model, [])).toBe(0)
  })

  test('then inserts are divided as the server needs it', async () => {
    const sizes = (await insertBatches(connection, items)).map((batch) => batch.length)
    expect(sizes).toEqual(isFerretDbAssumed ? [50, 10] : [60])
    expect(await insertBatches(connection, [])).toEqual([])
  })

  testWherePossible('then documents are counted, and a field summed', async () => {
    const filter = { size: { $lt: 20 } }
    const fields = { distinct: 'name', sum: 'size' } as const
    expect(await computeTotals(model, filter, fields)).toEqual({ documents: 20, distinct: 7, sum: 190 })
    const none = await computeTotals(model, { size: -1 }, fields)
    expect(none).toEqual({ documents: 0, distinct: 0, sum: 0 })
  })

  testWherePossible('then a change returns what is needed of the document', async () => {
    const options = await returning(model, { name: 1 })
    const changed = await model
      .findOneAndUpdate({ size: 3 }, { $set: { isChanged: true } }, options)
      .lean<Item>()
    expect(changed).toMatchObject({ name: 'name 3' })
    if (!isFerretDbAssumed) expect(changed).toEqual({ _id: expect.anything(), name: 'name 3' })
  })

  test('then it is asked only once', async () => {
    const asked = await connect()
    const commands = recordCommands(asked)
    await insertBatches(asked, items)
    await Promise.all([insertBatches(asked, items), insertBatches(asked, items)])
    expect(commands).toEqual(['buildInfo'])
  })
})

test('When an insert or an update is refused because its unique key exists, then this is recognised', async () => {
  const model = plain.model<Item>('Unique', new Schema<Item>({ name: { type: String, unique: true } }))
  await model.createIndexes()
  await model.insertMany([{ name: 'a' }, { name: 'b' }])
  const failures = [model.create({ name: 'a' }), model.updateOne({ name: 'a' }, { name: 'b' })]
  for (const failure of failures)
    expect(isDuplicateKey(await failure.then(undefined, (error: unknown) => error))).toBe(true)
})

test('When a collection has grown, then documents with a value are found by an index', async () => {
  const schema = new Schema({ name: String, text: String }).index({ name: 1, text: 1 })
  const model = plain.model('Large', schema)
  await model.createIndexes()
  const documents = Array.from({ length: 2_000 }, (_, index) => ({
    name: `name ${index}`,
    text: 'x'.repeat(1_000),
  }))
  for (const batch of await insertBatches(plain, documents)) await model.insertMany(batch)
  await eventually(async () =>
    /IXSCAN|Index Scan/.test(JSON.stringify(await model.find({ name: 'name 7' }).explain())),
  )
  expect(await findIn(model, 'name', ['name 7', 'name 1999', 'none'], { name: 1 })).toHaveLength(2)
})
