import type { TcpProxy } from '@confetti/test-kit'
import type { BlobCall, BlobProxy } from './blob-proxy.ts'

type Kill = () => Promise<void>

/** Kills when uploads makes the `nth` call of this operation. Blob storage does not receive the call. */
export const killBefore = (
  { hooks }: BlobProxy,
  operation: BlobCall['operation'],
  kill: Kill,
  nth = 1,
): void => {
  let calls = 0
  hooks.before = async (call) => {
    if (call.operation === operation) calls += 1
    if (call.operation !== operation || calls !== nth) return undefined
    await kill()
    return 'no-response'
  }
}

/** Kills when blob storage has completed the operation, before uploads receives the response. */
export const killAfter = ({ hooks }: BlobProxy, operation: BlobCall['operation'], kill: Kill): void => {
  hooks.after = async (call) => {
    if (call.operation !== operation) return
    hooks.after = undefined
    await kill()
  }
}

/** Kills when the database has written an upload's record, before uploads receives the reply. */
export const killAfterRecord = ({ hooks }: TcpProxy, kill: Kill): void => {
  let insertingConnection: number | undefined
  hooks.onRequest = (chunk, connection) => {
    if (chunk.includes('insert\0') && chunk.includes('uploads\0')) insertingConnection = connection
  }
  hooks.onReply = async (chunk, connection) => {
    if (connection !== insertingConnection) return
    insertingConnection = undefined
    // The insert fails if the first file name is already taken; another name is tried then.
    if (chunk.includes('writeErrors')) return
    hooks.onRequest = undefined
    hooks.onReply = undefined
    await kill()
  }
}
