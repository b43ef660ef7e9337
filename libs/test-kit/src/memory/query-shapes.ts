type Filter = Record<string, unknown>

const UNSELECTIVE = ['$ne', '$nin', '$not', '$exists']

/** Whether few documents meet a condition. Most may be false, lack a field, or have another value. */
const isSelective = (condition: unknown): boolean => {
  if (typeof condition !== 'object' || condition === null) return condition !== false && condition !== null
  if ('$ne' in condition && condition.$ne === null) return true
  return !Object.keys(condition).some((key) => UNSELECTIVE.includes(key))
}

/** The fields of a filter, and whether each finds few documents; and the same of the branches of its `$or`. */
const readFields = (filter: Filter): { fields: Map<string, boolean>; branches: Map<string, boolean>[] } => {
  const parts = [filter, ...((filter.$and as Filter[] | undefined) ?? [])]
  const conditions = parts.flatMap((part) => Object.entries(part).filter(([field]) => !field.startsWith('$')))
  const branches = parts.flatMap((part) => (part.$or as Filter[] | undefined) ?? [])
  return {
    fields: new Map(conditions.map(([field, condition]) => [field, isSelective(condition)])),
    branches: branches.map((branch) => readFields(branch).fields),
  }
}

interface Shape {
  fields: Map<string, boolean>
  branches: Map<string, boolean>[]
  /** The field of a list's order. */
  sorted?: string | undefined
}

/** Collects which queries a collection gets, without their values, and which indexes it has. */
export const createQueryShapes = () => {
  const indexes: (readonly string[])[] = [['_id']]
  const shapes = new Map<string, Shape>()

  /** Whether an index leads to few documents, or to the beginning of a list. */
  const isFound = (fields: ReadonlyMap<string, boolean>, sorted?: string): boolean =>
    indexes.some((index) => {
      for (const field of index) {
        if (field === sorted || fields.get(field)) return true
        if (!fields.has(field)) return false
      }
      return false
    })

  return {
    addIndex: (fields: readonly string[]): void => {
      indexes.push(fields)
    },

    record: (filter: Filter, sort: Record<string, unknown> = {}): void => {
      const { fields, branches } = readFields(filter)
      const [sorted] = Object.keys(sort)
      const names = [...fields].map(([field, isFew]) => (isFew ? field : `(${field})`)).join(' ')
      const either = branches.map((branch) => [...branch.keys()].join(' ')).join(' | ')
      const shape = [names, either, sorted && `by ${sorted}`].filter(Boolean).join(' ')
      shapes.set(shape || 'everything', { fields, branches, sorted })
    },

    /** The queries for which a server would read all documents. */
    listUnindexed: (): string[] =>
      [...shapes].flatMap(([shape, { fields, branches, sorted }]) =>
        isFound(fields, sorted) || (branches.length > 0 && branches.every((branch) => isFound(branch)))
          ? []
          : shape,
      ),
  }
}
export type QueryShapes = ReturnType<typeof createQueryShapes>
