import type { serviceRoutes, EventCopy } from '@confetti/contracts'
import type { Handlers } from '@confetti/service-kit'
import { senderOf } from './sender.ts'
import type { Sending } from './sending.ts'
import { toUploadResult } from '../upload.ts'

const storedMessage = 'Media uploaded successfully.'

export const sendingRoutes = (sending: Sending) =>
  ({
    createUploads: async (call) => {
      const { stored, rejected } = await sending.receiveForm(call.request, senderOf(call))
      return {
        message: storedMessage,
        uploads: stored.map(({ originalName, ...outcome }) => toUploadResult(outcome, originalName)),
        rejected: rejected.map(({ originalName, error: { code, message } }) => ({
          originalName,
          code,
          message,
        })),
      }
    },
    createUploadTickets: async (call) => ({
      tickets: await sending.requestTickets(senderOf(call), call.body),
    }),
    completeUploads: async ({ body }) => {
      const { uploads, rejected } = await sending.complete(body.tickets)
      return {
        message: uploads.length > 0 ? storedMessage : 'No file has been stored.',
        uploads,
        rejected: rejected.map(({ error: { code, message }, ...file }) => ({ ...file, code, message })),
      }
    },
    resumeUploads: async ({ body }) => ({ tickets: await sending.resume(body.tickets) }),
  }) satisfies Partial<Handlers<typeof serviceRoutes.uploads, EventCopy>>
