import { openConnection } from '../connection.ts'
import { startServer } from './server-process.ts'
import { UploadError, type Target } from './target.ts'

/** Starts `@tus/server` with its file store. Each file takes one request (creation with upload), the fastest mode. */
export const startTus = async (): Promise<Target> => {
  const { url, pid, clear, stop } = await startServer('./tus-server.ts')
  return {
    name: 'tus to disk',
    processes: { server: [pid] },
    prepare: () => Promise.resolve(),
    newGuest: (_, connectionOptions) => {
      const connection = openConnection(connectionOptions)
      return {
        send: async ({ name, size, chunks }) => {
          const response = await connection.send(
            'POST',
            `${url}/files`,
            {
              'Tus-Resumable': '1.0.0',
              'Upload-Length': size,
              'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`,
              'Content-Type': 'application/offset+octet-stream',
              'Content-Length': size,
            },
            chunks,
          )
          if (response.status !== 201 || Number(response.headers['upload-offset']) !== size)
            throw new UploadError(response.status, { body: response.body })
        },
        close: connection.close,
      }
    },
    clear,
    stop,
  }
}
