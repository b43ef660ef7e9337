import { ApiError, browserStorage, wait } from '@confetti/api-client'
import { getFileKey } from '@confetti/guest-storage/file-key'
import { api } from '@confetti/session'
import { isReadable } from '../file-validation.ts'
import { PIN_REQUIRED } from '../selected-files.ts'
import type { SendOptions } from '../send-queue.ts'
import { getUnsentFiles, type UnsentFiles } from '../unsent/unsent-files.ts'
import {
  createStorageAccess,
  runDirectUpload,
  type DirectOutcome,
  type DirectUploadDeps,
  type OpenTicket,
} from './direct-upload.ts'
import { hashFile } from './hash-file.ts'
import { createTicketRequests } from './request-tickets.ts'
import { createBlockLimit, putBlob } from './send-blocks.ts'
import { createUploadCalls } from './upload-calls.ts'

// What this browser remembers about files that were sent, so that it asks before it sends them again.

const SENT_HASHES_KEY = 'sentHashes'
const MAX_HASHES = 1_000
/** Enough to tell files apart: a mistake costs one call, as the server decides by the whole hash. */
const REMEMBERED_DIGITS = 16

const readHashes = (): string[] => browserStorage.get(SENT_HASHES_KEY)?.split(' ') ?? []
const toEntry = (eventId: string, sha256: string): string =>
  `${eventId}/${sha256.slice(0, REMEMBERED_DIGITS)}`

/** Whether a file with this hash was sent to an event from this browser. It may have been deleted since. */
export const wasSent = (eventId: string, sha256: string): boolean =>
  readHashes().includes(toEntry(eventId, sha256))

export const rememberSent = (eventId: string, sha256: string): void => {
  const entry = toEntry(eventId, sha256)
  const others = readHashes().filter((other) => other !== entry)
  browserStorage.set(SENT_HASHES_KEY, [entry, ...others].slice(0, MAX_HASHES).join(' '))
}

/** Keeps the open tickets of an event's files: in memory for this visit, and with the unsent files for the next one. */
const createOpenTickets = (eventId: string, unsentFiles: UnsentFiles) => {
  const tickets = new Map<string, OpenTicket>()

  return {
    findTicket: async (file: File, credit: string): Promise<OpenTicket | undefined> => {
      const key = getFileKey(eventId, file)
      const open = tickets.get(key)
      if (open) return open.credit === credit ? open : undefined
      const stored = await unsentFiles.findStoredTicket(file)
      if (stored?.credit !== credit) return undefined
      const restored = { ...stored, transfer: undefined, linkedAt: 0, received: new Set<string>() }
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

// For all events of the page, because they share the connection and the storage.
const storageAccess = createStorageAccess(Date.now)
const blockLimit = createBlockLimit(Date.now)
/** Set when the server has no direct uploads: they are switched off. */
let isSwitchedOff = false

const createDeps = (eventId: string, calls = createUploadCalls(eventId, api())): DirectUploadDeps => ({
  calls,
  takeTicket: createTicketRequests(calls.requestTicket, Date.now),
  wasSent: (sha256) => wasSent(eventId, sha256),
  rememberSent: (sha256) => rememberSent(eventId, sha256),
  storageAccess,
  blockLimit,
  hashFile,
  putBlob,
  isReadable,
  wait,
  random: Math.random,
  now: Date.now,
  isOnline: () => navigator.onLine,
  ...createOpenTickets(eventId, getUnsentFiles(eventId)),
})

const depsByEvent = new Map<string, DirectUploadDeps>()

const getDeps = (eventId: string): DirectUploadDeps => {
  const deps = depsByEvent.get(eventId) ?? createDeps(eventId)
  depsByEvent.set(eventId, deps)
  return deps
}

/** A path that the server does not have, unlike an event that it does not know, or whose PIN is missing. */
const isRouteMissing = (error: unknown): boolean =>
  error instanceof ApiError &&
  ((error.status === 404 && !['event_not_found', PIN_REQUIRED].includes(error.code)) || error.status === 405)

/**
 * Sends a file straight to blob storage. The outcome is `unavailable` if that is switched off or the storage cannot be
 * reached, for this file and the following ones until the page is reloaded.
 */
export const tryDirectUpload = async (
  eventId: string,
  file: File,
  options: SendOptions,
): Promise<DirectOutcome> => {
  if (isSwitchedOff || storageAccess.isBlocked()) return 'unavailable'
  try {
    return await runDirectUpload(file, options, getDeps(eventId))
  } catch (error) {
    if (!isRouteMissing(error)) throw error
    isSwitchedOff = true
    return 'unavailable'
  }
}
