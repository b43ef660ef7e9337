import type { Connection, Model, ProjectionType, QueryFilter } from 'mongoose'

// What differs on FerretDB 1, which stands in for MongoDB on machines that cannot have it. MongoDB gets the natural query.

type BulkWrites<D> = Parameters<Model<D>['bulkWrite']>[0]

const servers = new WeakMap<Connection, Promise<boolean>>()

/** Asks a server what it is, once for each connection. */
const isFerretDb = (connection: Connection): Promise<boolean> => {
  const ask = async (): Promise<boolean> => {
    const { db } = await connection.asPromise()
    return 'ferretdbVersion' in ((await db?.command({ buildInfo: 1 })) ?? {})
  }
  const asked = servers.get(connection) ?? ask()
  servers.set(connection, asked)
  asked.catch(() => servers.delete(connection))
  return asked
}

// It uses a connection to PostgreSQL for each change of a write until all are done, and hangs if none of its 50 is left.
// The proxy before it lets one write of each collection change documents, and several services write at the same time.
const MAX_CHANGES = 8
// Inserts of one write share a connection up to here.
const MAX_INSERTS = 50
const QUERIES_AT_ONCE = 10

const inBatches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/** `items` in batches that the server can insert by one write. */
export const insertBatches = async <T>(connection: Connection, items: readonly T[]): Promise<T[][]> =>
  inBatches(items, (await isFerretDb(connection)) ? MAX_INSERTS : items.length)

/** Makes changes in any order. Returns how many documents matched. */
export const changeMany = async <D>(model: Model<D>, changes: BulkWrites<D>): Promise<number> => {
  if (changes.length === 0) return 0
  let matched = 0
  for (const batch of inBatches(changes, (await isFerretDb(model.db)) ? MAX_CHANGES : changes.length))
    matched += (await model.bulkWrite(batch, { ordered: false })).matchedCount
  return matched
}

/**
 * The documents whose `field` has one of `values`, with `isLasting` only what no failover of the database can undo any more.
 * FerretDB uses an index for equality only.
 */
export const findIn = async <D, Field extends keyof D & string>(
  model: Model<D>,
  field: Field,
  values: readonly D[Field][],
  projection: ProjectionType<D>,
  { isLasting = false }: { isLasting?: boolean } = {},
): Promise<D[]> => {
  const find = async (condition: unknown) => {
    const query = model.find({ [field]: condition } as QueryFilter<D>, projection)
    return (await (isLasting ? query.readConcern('majority') : query).lean()) as D[]
  }
  if (!(await isFerretDb(model.db))) return find({ $in: values })
  const found: D[] = []
  for (const batch of inBatches(values, QUERIES_AT_ONCE))
    found.push(...(await Promise.all(batch.map(find))).flat())
  return found
}

export interface Totals {
  documents: number
  /** How many values the field `distinct` has. */
  distinct: number
  /** The sum of the field `sum`. */
  sum: number
}

/** Counts the documents that match, and sums a field of them. FerretDB computes only the first accumulator of a `$group`. */
export const computeTotals = async <D>(
  model: Model<D>,
  filter: QueryFilter<D>,
  fields: { distinct: keyof D & string; sum: keyof D & string },
): Promise<Totals> => {
  const byValue = { _id: `$${fields.distinct}` }
  const sum = { $sum: `$${fields.sum}` }
  if (!(await isFerretDb(model.db))) {
    const [totals] = await model.aggregate<Totals>([
      { $match: filter },
      { $group: { ...byValue, documents: { $sum: 1 }, sum } },
      {
        $group: {
          _id: null,
          documents: { $sum: '$documents' },
          distinct: { $sum: 1 },
          sum: { $sum: '$sum' },
        },
      },
    ])
    return { documents: totals?.documents ?? 0, distinct: totals?.distinct ?? 0, sum: totals?.sum ?? 0 }
  }
  const [documents, [values], [total]] = await Promise.all([
    model.countDocuments(filter),
    model.aggregate<Pick<Totals, 'distinct'>>([
      { $match: filter },
      { $group: byValue },
      { $count: 'distinct' },
    ]),
    model.aggregate<Pick<Totals, 'sum'>>([{ $match: filter }, { $group: { _id: null, sum } }]),
  ])
  return { documents, distinct: values?.distinct ?? 0, sum: total?.sum ?? 0 }
}

/**
 * Creates an index by which no two documents have the same value of `field`, and any number lack it. FerretDB knows no sparse
 * index, and lets documents lack the field of a unique one.
 */
export const createUniqueIndexWherePresent = async <D>(
  model: Model<D>,
  field: keyof D & string,
): Promise<void> => {
  const isSparse = !(await isFerretDb(model.db))
  await model.collection.createIndex({ [field]: 1 }, { unique: true, ...(isSparse && { sparse: true }) }, {})
}

/** Options of a `findOneAndUpdate` that needs only some fields. FerretDB's returns whole documents. */
export const returning = async <D>(model: Model<D>, projection: ProjectionType<D>) => ({
  returnDocument: 'after' as const,
  ...(!(await isFerretDb(model.db)) && { projection }),
})

/** Whether FerretDB refused an update because its unique key exists: it passes on PostgreSQL's error. */
export const isDuplicateKeyInPostgres = (error: object): boolean =>
  error instanceof Error && error.message.includes('SQLSTATE 23505')
