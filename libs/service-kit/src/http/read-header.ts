import type { IncomingMessage } from 'node:http'

/** A header of a request, by its name in lower case; undefined if it is missing or there are several. */
export const readHeader = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
