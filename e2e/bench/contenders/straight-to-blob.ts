import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { BlobServiceClient, RestError } from '@azure/storage-blob'
import type { Watched } from '../processes.ts'
import { Refusal, type Contender } from './contender.ts'

/** The same files put straight to the blob service by its own client: no gateway, no check, no hash, no record. */
export const straightToBlob = (connectionString: string, watched: Watched): Contender => {
  const service = BlobServiceClient.fromConnectionString(connectionString)
  let container = service.getContainerClient('none')
  return {
    name: 'straight to blob storage',
    watched,
    prepare: async () => {
      container = service.getContainerClient(`bench-${randomBytes(4).toString('hex')}`)
      await container.create()
    },
    newGuest: (number) => ({
      send: async ({ name, size, chunks }) => {
        const blob = container.getBlockBlobClient(`${number}/${name}`)
        try {
          await blob.upload(() => Readable.from(chunks, { objectMode: false }), size)
        } catch (error) {
          throw new Refusal(error instanceof RestError ? (error.statusCode ?? 0) : 0, { body: String(error) })
        }
      },
      close: () => undefined,
    }),
    clear: async () => {
      await container.delete()
    },
    stop: () => Promise.resolve(),
  }
}
