import {
  completeUploads,
  createUploadTickets,
  type NewTicket,
  type RouteContract,
  type Transfer,
} from '@confetti/contracts'
import type { Connection } from '../connection.ts'
import type { GuestFile } from '../guest-files.ts'
import { UploadError } from './target.ts'

interface Guest {
  connection: Connection
  gateway: string
  /** The guest's token, if it has one. */
  headers: Record<string, string>
}

const post = async (
  { connection, gateway, headers }: Guest,
  { path }: RouteContract,
  body: unknown,
): Promise<{ body: unknown; guestToken: string | undefined }> => {
  const bytes = Buffer.from(JSON.stringify(body))
  const response = await connection.send(
    'POST',
    `${gateway}${path}`,
    { 'Content-Type': 'application/json', 'Content-Length': bytes.length, ...headers },
    [bytes],
  )
  if (response.status !== 201)
    throw new UploadError(response.status, {
      retryAfter: response.headers['retry-after'],
      body: response.body,
    })
  return { body: JSON.parse(response.body), guestToken: response.headers['x-guest-token']?.toString() }
}

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

/** Sends a file straight to blob storage as the guest page does. Returns a new guest token, if there is one. */
export const sendDirect = async (
  guest: Guest,
  event: { eventId: string; photoCredit: string },
  file: GuestFile,
): Promise<string | undefined> => {
  const { name, size, sha256 } = file
  const issued = await post(guest, createUploadTickets, { ...event, files: [{ name, size, sha256 }] })
  const [ticket] = (issued.body as { tickets: NewTicket[] }).tickets
  if (ticket?.outcome !== 'send') throw new UploadError(201, { body: JSON.stringify(ticket) })
  await put(guest.connection, ticket.transfer, file)
  const completed = await post(guest, completeUploads, { tickets: [ticket.ticket] })
  if ((completed.body as { uploads: unknown[] }).uploads.length !== 1)
    throw new UploadError(201, { body: JSON.stringify(completed.body) })
  return issued.guestToken
}
