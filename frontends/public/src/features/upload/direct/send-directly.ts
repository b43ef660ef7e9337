import { ApiError } from '@confetti/api-client'
import { api } from '@confetti/session'
import { isReadable } from '../is-readable.ts'
import type { SendOptions } from '../send-queue.ts'
import { getUnsentFiles } from '../unsent/unsent-files.ts'
import { wait } from '../wait.ts'
import { createBlockLimit } from './block-limit.ts'
import { uploadDirectly, type DirectOutcome, type DirectUploadDeps } from './direct-upload.ts'
import { hashFile } from './hash-file.ts'
import { createOpenTickets } from './open-tickets.ts'
import { putBlob } from './put-blob.ts'
import { createStorageAccess } from './storage-access.ts'
import { createUploadCalls } from './upload-calls.ts'

// For all events of the page, because they share the connection and the storage.
const storageAccess = createStorageAccess(Date.now)
const blockLimit = createBlockLimit(Date.now)
/** Set when the server has no direct uploads: they are switched off, or it is an older version. */
let isSwitchedOff = false

const createDeps = (eventId: string): DirectUploadDeps => ({
  calls: createUploadCalls(eventId, api()),
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

/** A path that the server does not have, unlike an event that it does not know. */
const isRouteMissing = (error: unknown): boolean =>
  error instanceof ApiError &&
  ((error.status === 404 && error.code !== 'event_not_found') || error.status === 405)

/**
 * Sends a file straight to blob storage. The outcome is `unavailable` if that is switched off or the storage cannot be
 * reached, for this file and the following ones until the page is reloaded.
 */
export const sendDirectly = async (
  eventId: string,
  file: File,
  options: SendOptions,
): Promise<DirectOutcome> => {
  if (isSwitchedOff || storageAccess.isBlocked()) return 'unavailable'
  try {
    return await uploadDirectly(file, options, getDeps(eventId))
  } catch (error) {
    if (!isRouteMissing(error)) throw error
    isSwitchedOff = true
    return 'unavailable'
  }
}
