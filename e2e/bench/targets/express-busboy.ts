import { openConnection } from '../connection.ts'
import { sendForm } from './send-form.ts'
import { startServer } from './server-process.ts'
import type { Target } from './target.ts'

/** Starts a minimal server of Express and busboy that writes files to disk. */
export const startExpressBusboy = async (): Promise<Target> => {
  const { url, pid, clear, stop } = await startServer('./express-busboy-server.ts')
  return {
    name: 'Express and busboy to disk',
    processes: { server: [pid] },
    prepare: () => Promise.resolve(),
    newGuest: (number, connectionOptions) => {
      const connection = openConnection(connectionOptions)
      return {
        send: async (file) => {
          const fields = { eventId: 'none', photoCredit: `Guest ${number}` }
          await sendForm(connection, `${url}/api/uploads`, fields, file)
        },
        close: connection.close,
      }
    },
    clear,
    stop,
  }
}
