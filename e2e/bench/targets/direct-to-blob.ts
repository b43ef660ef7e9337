import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { startBackend } from '@confetti/backends'
import { BlobServiceClient, RestError } from '@azure/storage-blob'
import { backendCommands, findChildProcesses } from '../processes.ts'
import { UploadError, type Target } from './target.ts'

/**
 * Sends files directly to blob storage with its own client, `filesAtOnce` of each guest at once: no gateway, no
 * validation, no hash, no record.
 */
export const startDirectToBlob = async (name: string, filesAtOnce: number): Promise<Target> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-bench-blob-'))
  const backend = await startBackend('blob', { dataDir: folder, report: () => undefined })
  const service = BlobServiceClient.fromConnectionString(backend.url)
  let container = service.getContainerClient('none')
  return {
    name,
    processes: findChildProcesses({ 'blob storage': backendCommands['blob storage'] }),
    prepare: async () => {
      container = service.getContainerClient(`bench-${randomBytes(4).toString('hex')}`)
      await container.create()
    },
    newGuest: (number) => ({
      filesAtOnce,
      send: async ({ name: fileName, size, chunks }) => {
        const blob = container.getBlockBlobClient(`${number}/${fileName}`)
        try {
          await blob.upload(() => Readable.from(chunks, { objectMode: false }), size)
        } catch (error) {
          const status = error instanceof RestError ? (error.statusCode ?? 0) : 0
          throw new UploadError(status, { body: String(error) })
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
