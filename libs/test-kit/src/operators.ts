/** What asks a document database for more than one value. */
export const operators: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  { $exists: true },
  { $not: { $type: 'null' } },
  { $regex: '^(a+)+$' },
  { $where: 'while(true){}' },
  [{ $ne: '' }],
  { $gt: '', $where: 'true' },
]
