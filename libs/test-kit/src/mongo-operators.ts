/** Query operators that match more than one value, for injection tests. */
export const mongoOperators: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  { $exists: true },
  { $not: { $type: 'null' } },
  { $regex: '^(a+)+$' },
  { $where: 'while(true){}' },
  [{ $ne: '' }],
  { $gt: '', $where: 'true' },
]
