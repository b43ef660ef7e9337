import { downloadArchive } from '@confetti/contracts'

const [linkPrefix = ''] = downloadArchive.path.split('{')

/** The path of a request, for logs and traces: without the token of a link, which is all that its user needs. */
export const loggablePath = (path: string): string =>
  path.toLowerCase().startsWith(linkPrefix) ? `${linkPrefix}...` : path
