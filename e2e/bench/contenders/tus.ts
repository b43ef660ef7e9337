import { openConnection } from '../connection.ts'
import { Refusal, type Contender } from './contender.ts'
import { startServer } from './server-process.ts'

/** `@tus/server` with its file store; a file goes in one request (creation with upload), its quickest way. */
export const startTus = async (): Promise<Contender> => {
  const { url, pid, clear, stop } = await startServer('./tus-server.ts')
  return {
    name: 'tus to disk',
    watched: { server: [pid] },
    prepare: () => Promise.resolve(),
    newGuest: (_, line) => {
      const connection = openConnection(line)
      return {
        send: async ({ name, size, chunks }) => {
          const answer = await connection.post(
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
          if (answer.status !== 201 || Number(answer.headers['upload-offset']) !== size)
            throw new Refusal(answer.status, { body: answer.body })
        },
        close: connection.close,
      }
    },
    clear,
    stop,
  }
}
