import { randomBytes } from 'node:crypto'
import { BlobServiceClient } from '@azure/storage-blob'
import { testBackends } from '@confetti/test-kit'
import { testBlobStorage } from '@confetti/test-kit/memory-blobs-contract'
import { Registry } from 'prom-client'
import { createLinkSigner } from '../src/storage/link-signer.ts'

const now = () => new Date()

testBlobStorage(async () => {
  const service = BlobServiceClient.fromConnectionString(testBackends().blob)
  const { sign } = await createLinkSigner(service, {
    clock: now,
    newCallDeadline: () => ({ abortSignal: AbortSignal.timeout(60_000) }),
    metrics: new Registry(),
  })
  return {
    container: service.getContainerClient(`t${randomBytes(6).toString('hex')}`),
    now,
    sign,
    send: async (link, { method, query = {}, headers = {}, body }) => {
      const url = new URL(link)
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
      const response = await fetch(url, { method, headers, ...(body && { body: new Uint8Array(body) }) })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      }
    },
  }
})
