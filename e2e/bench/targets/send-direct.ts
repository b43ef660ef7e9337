import {
  completeUploads,
  createUploadTickets,
  type NewTicket,
  type RouteContract,
  type Transfer,
} from '@confetti/contracts'
import {
  batchCalls,
  GATHER_COMPLETIONS_MS,
  MAX_FILES_PER_CALL,
} from '../../../frontends/public/src/features/upload/direct/upload-calls.ts'
import { openConnection, type Connection, type ConnectionOptions } from '../connection.ts'
import type { GuestFile } from '../guest-files.ts'
import { UploadError, type Guest } from './target.ts'

const post = async (
  connection: Connection,
  url: string,
  body: unknown,
  guestToken: string | undefined,
): Promise<{ body: unknown; guestToken: string | undefined }> => {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
    ...(guestToken && { 'X-Guest-Token': guestToken }),
  }
  const response = await connection.send('POST', url, headers, [bytes])
  if (response.status !== 201)
    throw new UploadError(response.status, {
      retryAfter: response.headers['retry-after'],
      body: response.body,
    })
  return { body: JSON.parse(response.body), guestToken: response.headers['x-guest-token']?.toString() }
}

type Sendable = Extract<NewTicket, { outcome: 'send' }>

const put = async (
  connection: Connection,
  transfer: Transfer,
  { chunks, size }: GuestFile,
): Promise<void> => {
  const send = async (url: string, body: readonly Buffer[], length: number): Promise<void> => {
    const headers = { ...transfer.headers, 'Content-Length': length }
    const { status, body: text } = await connection.send('PUT', url, headers, body)
    if (status !== 201) throw new UploadError(status, { body: text })
  }
  if (transfer.kind === 'single') return send(transfer.url, chunks, size)
  const bytes = Buffer.concat(chunks)
  for (const [index, id] of transfer.blockIds.entries()) {
    const block = bytes.subarray(index * transfer.blockBytes, (index + 1) * transfer.blockBytes)
    await send(`${transfer.url}&comp=block&blockid=${encodeURIComponent(id)}`, [block], block.length)
  }
}

/** The page sends the bytes of as many. */
const FILES_AT_ONCE = 3

/**
 * A guest who sends straight to blob storage as the page does: one call for the tickets of all files, and completions that
 * are gathered, each with its hash. Connections limit how many files are sent at once.
 */
export const newDirectGuest = (
  gateway: string,
  event: { eventId: string; photoCredit: string },
  connectionOptions: ConnectionOptions,
  guestToken?: string,
): Guest => {
  const connection = openConnection({ ...connectionOptions, maxSockets: FILES_AT_ONCE })
  let token = guestToken
  const call = async <T>({ path }: RouteContract, body: unknown): Promise<T> => {
    const answer = await post(connection, `${gateway}${path}`, body, token)
    token ??= answer.guestToken
    return answer.body as T
  }
  const requestTicket = batchCalls(async (files: readonly GuestFile[]): Promise<readonly NewTicket[]> => {
    const declared = files.map(({ name, size }) => ({ name, size }))
    const { tickets } = await call<{ tickets: NewTicket[] }>(createUploadTickets, {
      ...event,
      files: declared,
    })
    return tickets
  }, MAX_FILES_PER_CALL)
  const complete = batchCalls(
    async (sent: readonly (Sendable & { sha256: string })[]): Promise<readonly boolean[]> => {
      const body = { tickets: sent.map(({ ticket, sha256 }) => ({ ticket, sha256 })) }
      const { uploads } = await call<{ uploads: { uploadId: string }[] }>(completeUploads, body)
      return sent.map(({ uploadId }) => uploads.some((upload) => upload.uploadId === uploadId))
    },
    MAX_FILES_PER_CALL,
    GATHER_COMPLETIONS_MS,
  )
  /** The number of files whose bytes are on their way. */
  let unsentCount = 0
  const sendBytes = async (file: GuestFile): Promise<Sendable> => {
    unsentCount += 1
    try {
      const ticket = await requestTicket(file)
      if (ticket.outcome !== 'send') throw new UploadError(201, { body: JSON.stringify(ticket) })
      await put(connection, ticket.transfer, file)
      return ticket
    } finally {
      unsentCount -= 1
    }
  }
  return {
    filesAtOnce: MAX_FILES_PER_CALL,
    send: async (file) => {
      const ticket = await sendBytes(file)
      if (!(await complete({ ...ticket, sha256: file.sha256 }, unsentCount === 0)))
        throw new UploadError(201, { body: 'not completed' })
    },
    close: connection.close,
  }
}
