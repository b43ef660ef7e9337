/** The smallest of `values` that at least `share` (0 to 1) of them do not exceed. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

export interface Spread {
  median: number
  min: number
  max: number
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: percentile(values, 0.5),
  min: Math.min(...values),
  max: Math.max(...values),
})
