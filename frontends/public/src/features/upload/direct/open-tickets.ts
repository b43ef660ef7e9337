import { getFileKey } from '@confetti/guest-storage/file-key'
import type { UnsentFiles } from '../unsent/unsent-files.ts'
import type { OpenTicket } from './direct-upload.ts'

/** Keeps the open tickets of an event's files: in memory for this visit, and with the unsent files for the next one. */
export const createOpenTickets = (eventId: string, unsentFiles: UnsentFiles) => {
  const tickets = new Map<string, OpenTicket>()

  return {
    findTicket: async (file: File, credit: string): Promise<OpenTicket | undefined> => {
      const key = getFileKey(eventId, file)
      const open = tickets.get(key)
      if (open) return open.credit === credit ? open : undefined
      const stored = await unsentFiles.findStoredTicket(file)
      if (stored?.credit !== credit) return undefined
      const restored = { ...stored, transfer: undefined, received: new Set<string>() }
      tickets.set(key, restored)
      return restored
    },
    saveTicket: (file: File, open: OpenTicket): void => {
      tickets.set(getFileKey(eventId, file), open)
      const { ticket, credit, uploadId, isSent } = open
      unsentFiles.saveTicket(file, { ticket, credit, uploadId, isSent })
    },
    removeTicket: (file: File): void => {
      tickets.delete(getFileKey(eventId, file))
      unsentFiles.saveTicket(file, undefined)
    },
  }
}
