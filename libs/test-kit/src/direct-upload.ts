import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import {
  completeUploads,
  createUploadTickets,
  type BlockTransfer,
  type NewTicket,
  type Transfer,
} from '@confetti/contracts'
import { call, type ApiResponse } from './call.ts'
import type { FileToSend } from './guest.ts'
import { withHangTimeout } from './hang.ts'

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export type SendTicket = Extract<NewTicket, { outcome: 'send' }>

interface TicketOptions {
  photoCredit?: string
  consentVersion?: string
  /** Empty: none is declared. Default: the true one. */
  sha256?: string
}

/** Asks for one ticket, whose outcome must be `send`. */
export const newTicket = async (
  url: string,
  eventId: string,
  { name, bytes, lastModified }: FileToSend,
  { photoCredit = 'Table 4', consentVersion, sha256 = sha256Of(bytes) }: TicketOptions = {},
): Promise<SendTicket> => {
  const file = { name, size: bytes.length, ...(sha256 && { sha256 }), ...(lastModified && { lastModified }) }
  const { status, body } = await call(url, createUploadTickets, {
    body: { eventId, photoCredit, consentVersion, files: [file] },
  })
  const ticket = body.tickets?.[0] as NewTicket | undefined
  if (status !== 201 || ticket?.outcome !== 'send')
    throw new Error(`No ticket to send with: ${status} ${JSON.stringify(body)}`)
  return ticket
}

/** Puts bytes on a connection of their own, as blob storage closes idle ones. Returns the status. */
const put = (url: string, headers: Record<string, string>, body: Uint8Array): Promise<number> =>
  withHangTimeout(`PUT ${new URL(url).pathname}`, async (signal) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const request = send(url, {
      method: 'PUT',
      headers: { ...headers, 'content-length': body.length },
      agent: false,
      signal,
    })
    request.end(body)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  })

/** Sends one block of a file, and returns the status of blob storage. */
export const putBlock = async (
  { url, headers, blockBytes, blockIds }: BlockTransfer,
  bytes: Uint8Array<ArrayBuffer>,
  index: number,
): Promise<number> => {
  const block = bytes.subarray(index * blockBytes, (index + 1) * blockBytes)
  const address = `${url}&comp=block&blockid=${encodeURIComponent(blockIds[index] ?? '')}`
  return put(address, headers, block)
}

/** Sends a whole file, and returns the statuses of blob storage. */
export const putFile = async (transfer: Transfer, bytes: Uint8Array<ArrayBuffer>): Promise<number[]> => {
  if (transfer.kind === 'single') return [await put(transfer.url, transfer.headers, bytes)]
  return Promise.all(transfer.blockIds.map((_, index) => putBlock(transfer, bytes, index)))
}

/** Completes tickets, each with the hash that is declared beside it. */
export const complete = (
  url: string,
  ...sent: readonly (Pick<SendTicket, 'ticket'> & { sha256?: string })[]
): Promise<ApiResponse> =>
  call(url, completeUploads, {
    body: { tickets: sent.map(({ ticket, sha256 }) => (sha256 ? { ticket, sha256 } : ticket)) },
  })

/** Sends one file straight to blob storage, and completes it. */
export const sendDirect = async (
  url: string,
  eventId: string,
  file: FileToSend,
  options?: TicketOptions,
): Promise<ApiResponse> => {
  const ticket = await newTicket(url, eventId, file, options)
  const statuses = await putFile(ticket.transfer, file.bytes)
  if (!statuses.every((status) => status === 201)) throw new Error(`Blob storage answered ${statuses.join()}`)
  return complete(url, ticket)
}
