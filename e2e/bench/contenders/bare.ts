import { openConnection } from '../connection.ts'
import type { Contender } from './contender.ts'
import { startServer } from './server-process.ts'
import { sendForm } from './send-form.ts'

/** Express and busboy writing to the disk, and nothing else. */
export const startBare = async (): Promise<Contender> => {
  const { url, pid, clear, stop } = await startServer('./bare-server.ts')
  return {
    name: 'Express and busboy to disk',
    watched: { server: [pid] },
    prepare: () => Promise.resolve(),
    newGuest: (number, line) => {
      const connection = openConnection(line)
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
