import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { startBackend } from '@confetti/backends'
import { BlobServiceClient, RestError } from '@azure/storage-blob'
import { backendPrograms, programsOfOurs } from '../processes.ts'
import { Refusal, type Contender } from './contender.ts'

/** The same files put straight to the blob service by its own client: no gateway, no check, no hash, no record. */
export const startStraightToBlob = async (): Promise<Contender> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-bench-blob-'))
  const backend = await startBackend('blob', { dataDir: folder, report: () => undefined })
  const service = BlobServiceClient.fromConnectionString(backend.url)
  let container = service.getContainerClient('none')
  return {
    name: 'straight to blob storage',
    watched: programsOfOurs({ 'blob storage': backendPrograms['blob storage'] }),
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
    stop: async () => {
      await backend.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
