import type { Transfer } from '@confetti/contracts'
import type { BlockDescriptor, Ticket } from './tickets.ts'

/** An original in blob storage, which guests' links can't change any more. */
interface Original {
  /** In bytes. */
  size: number
  /** The first bytes, enough to detect the type. */
  head: Buffer
  /** MD5 in base64, computed by blob storage. Absent if the file was sent in blocks. */
  contentMd5: string | undefined
  /** Identifies this version of the blob. */
  etag: string
}

/** What direct uploads need of blob storage. Every method throws `unavailable` if blob storage fails. */
export interface DirectBlobs {
  /** Signs a link for sending the file of a ticket, which expires at `expiresAt`. */
  createTransfer: (ticket: Ticket, expiresAt: Date) => Transfer
  /** The blocks of an upload that have arrived. */
  listReceived: (uploadId: string) => Promise<BlockDescriptor[]>
  /** Makes the original from its blocks, unless it exists already. False if a block is missing. */
  assemble: (uploadId: string, blocks: readonly BlockDescriptor[]) => Promise<boolean>
  /** Reads the head of an original; undefined if there is none. */
  readOriginal: (uploadId: string) => Promise<Original | undefined>
  /** The SHA-256 of the bytes of an original, as hexadecimal digits. */
  hashOriginal: (uploadId: string) => Promise<string>
  /** Removes this version of an original; does nothing if it has been replaced. */
  removeOriginalVersion: (uploadId: string, etag: string) => Promise<void>
  /** Removes the blocks of an upload after they were committed. */
  removeCommitted: (uploadId: string) => Promise<void>
}
