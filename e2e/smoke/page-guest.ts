import type { ErrorBody } from '@confetti/contracts'
import {
  createStorageAccess,
  runDirectUpload,
  type DirectUploadDeps,
  type OpenTicket,
} from '../../frontends/public/src/features/upload/direct/direct-upload.ts'
import { createTicketRequests } from '../../frontends/public/src/features/upload/direct/request-tickets.ts'
import { createBlockLimit } from '../../frontends/public/src/features/upload/direct/send-blocks.ts'
import { createUploadCalls } from '../../frontends/public/src/features/upload/direct/upload-calls.ts'
import type { SendOptions } from '../../frontends/public/src/features/upload/send-queue.ts'
import { wait } from '../../libs/api-client/src/time-limit.ts'
import type { ApiClient } from '../../libs/api-client/src/client.ts'
import { ApiError } from '../../libs/api-client/src/errors.ts'
import { sha256 } from '../sha256.ts'
import { send } from './call-api.ts'

/** How a file was sent: straight to blob storage, or in a form to the API. */
export type UploadPath = 'direct' | 'form'

interface Options {
  /** The URL of the API. */
  api: string
  eventId: string
  /** Sends all files in forms, as pages do where direct uploads are not possible. */
  usesForms: boolean
}

const GUEST_TOKEN_HEADER = 'X-Guest-Token'
const FORM_TIMEOUT_MS = 180_000
const STORAGE_TIMEOUT_MS = 45_000

const putBlob: DirectUploadDeps['putBlob'] = async ({ url, headers, body, signal, onProgress }) => {
  const init = { method: 'PUT', headers, body, signal, timeoutMs: STORAGE_TIMEOUT_MS }
  await send(url, init, (response) => response.text())
  onProgress(body.size)
}

/**
 * Creates a guest with a guest token of their own. The function sends a file once, by the code of the guest's page with
 * `fetch` for its requests, and rejects with an `ApiError` as it does.
 */
export const createPageGuest = ({ api, eventId, usesForms }: Options) => {
  let guestToken: string | undefined
  const sendAsGuest = (path: string, options: Parameters<typeof send>[1]): Promise<unknown> => {
    const headers = new Headers(options.headers)
    if (guestToken) headers.set(GUEST_TOKEN_HEADER, guestToken)
    return send(new URL(path, api), { method: 'POST', ...options, headers }, (response) => {
      guestToken ??= response.headers.get(GUEST_TOKEN_HEADER) ?? undefined
      return response.json()
    })
  }

  const post = ((path: string, { body, signal }: { body: unknown; signal: AbortSignal }) =>
    sendAsGuest(path, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })) as ApiClient['post']

  const tickets = new Map<File, OpenTicket>()
  const calls = createUploadCalls(eventId, { post })
  const deps: DirectUploadDeps = {
    calls,
    takeTicket: createTicketRequests(calls.requestTicket, Date.now),
    // As on a first visit.
    wasSent: () => false,
    rememberSent: () => undefined,
    storageAccess: createStorageAccess(Date.now),
    blockLimit: createBlockLimit(Date.now),
    hashFile: async (file) => sha256(await file.bytes()),
    putBlob,
    isReadable: () => Promise.resolve(true),
    isOnline: () => true,
    wait,
    random: Math.random,
    now: Date.now,
    findTicket: (file) => Promise.resolve(tickets.get(file)),
    saveTicket: (file, ticket) => void tickets.set(file, ticket),
    removeTicket: (file) => void tickets.delete(file),
  }

  const sendForm = async (file: File, { credit, signal }: SendOptions): Promise<void> => {
    const form = new FormData()
    form.set('eventId', eventId)
    form.set('photoCredit', credit)
    form.set('media', file, file.name)
    const init = { body: form, signal, timeoutMs: FORM_TIMEOUT_MS }
    const { rejected } = (await sendAsGuest('/api/uploads', init)) as { rejected: ErrorBody[] }
    if (rejected[0]) throw new ApiError(400, rejected[0])
  }

  return async (file: File, options: SendOptions): Promise<UploadPath> => {
    if (!usesForms && (await runDirectUpload(file, options, deps)) === 'sent') return 'direct'
    await sendForm(file, options)
    return 'form'
  }
}
