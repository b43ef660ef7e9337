// An id starts with its creation time in seconds, as 8 hexadecimal digits; the first 4 digits cover 18 hours.
const PREFIX_MS = 0x10000 * 1_000

/** The first digits of all ids that were made between two times, in milliseconds since 1970. */
export const idPrefixesBetween = (from: number, to: number): string[] => {
  const prefixes: string[] = []
  for (let slot = Math.floor(from / PREFIX_MS); slot <= Math.floor(to / PREFIX_MS); slot += 1)
    prefixes.push(slot.toString(16).padStart(4, '0'))
  return prefixes
}
