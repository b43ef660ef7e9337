import { MB } from '@confetti/contracts'
import type { Sender } from './sender.ts'

/** A guest's permission to send one file straight to blob storage. */
export interface Ticket extends Sender {
  uploadId: string
  eventId: string
  photoCredit: string
  originalName: string
  /** In bytes, as the guest declared it. */
  size: number
  /** As the guest declared it: a hint, which the media worker verifies. */
  sha256?: string
  issuedAt: Date
  /** The trace in which it was issued (W3C Trace Context), which continues with its completion. */
  traceparent?: string
}

/** Larger files are sent in blocks. */
const MAX_SINGLE_BYTES = 8 * MB
export const BLOCK_BYTES = 4 * MB

/** A block of a file that is sent in blocks. */
export interface BlockDescriptor {
  id: string
  /** In bytes. */
  size: number
}

/** The blocks of a file, in order; undefined if the file is sent by one request. */
export const blocksOf = ({ size }: Pick<Ticket, 'size'>): BlockDescriptor[] | undefined =>
  size <= MAX_SINGLE_BYTES
    ? undefined
    : Array.from({ length: Math.ceil(size / BLOCK_BYTES) }, (_, index) => ({
        id: Buffer.from(String(index).padStart(6, '0')).toString('base64'),
        size: Math.min(BLOCK_BYTES, size - index * BLOCK_BYTES),
      }))
