type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

/** A copy of `source` with only the fields `keys`, leaving out those that are undefined or null. */
export const pickDefined = <T extends object, K extends keyof T>(
  source: T,
  keys: readonly K[],
): Defined<Pick<T, K>> =>
  Object.fromEntries(
    keys
      .map((key) => [key, source[key]] as const)
      .filter(([, value]) => value !== undefined && value !== null),
  ) as Defined<Pick<T, K>>
