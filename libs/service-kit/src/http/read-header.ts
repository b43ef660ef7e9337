import type { IncomingMessage } from 'node:http'

/** Returns a header of a request, by its name in lower case; undefined if it is missing. Node joins several by commas. */
export const readHeader = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
