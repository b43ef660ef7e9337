import { parseShortCode } from '@confetti/contracts'

/** Where what a guest has typed or pasted leads to: the event that has a code, or one by its id. */
export type Entry = ({ code: string } | { eventId: string }) & {
  /** The fragment of a pasted link, with its `#`. */
  hash: string
}

/** Reads a code, or the link to an event on this or another address of the site. Undefined if it is neither. */
export const readEntry = (typed: string): Entry | undefined => {
  const [address = '', fragment] = typed.trim().split('#')
  const hash = fragment ? `#${fragment}` : ''
  const eventId = /[?&]eventId=([\da-f]{24})(?:&|$)/i.exec(address)?.[1]
  if (eventId) return { eventId, hash }
  const code = parseShortCode(/\/e\/([^/?]+)/.exec(address)?.[1] ?? address)
  return code ? { code, hash } : undefined
}
