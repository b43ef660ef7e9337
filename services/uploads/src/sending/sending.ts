import { newUploadId } from '@confetti/blob-storage'
import type { Clock, Logger } from '@confetti/service-kit'
import type { Config } from '../config.ts'
import type { Events } from '../events.ts'
import type { UploadMetrics } from '../upload-metrics.ts'
import type { UploadStore } from '../upload.ts'
import { createAdmission } from './admission.ts'
import { createCompletion } from './complete-uploads.ts'
import { createQuotas } from './quotas.ts'
import type { FormSlots } from './form/form-slots.ts'
import { createForms, type FormBlobs } from './form/forms.ts'
import { createOpenTickets, type GuestLimits } from './guest-limits.ts'
import { createTicketRequests } from './request-tickets.ts'
import { createTickets, type DirectBlobs } from './tickets.ts'

interface Deps {
  uploads: UploadStore
  events: Events
  directBlobs: DirectBlobs
  blobs: FormBlobs & { removeStaged: (uploadId: string) => Promise<boolean> }
  formSlots: FormSlots
  ticketLifeMs: number
  guestLimits: GuestLimits
  /** Publishes what an event has. */
  reportUsage: (eventId: string, total: { files: number; bytes: number }, countedAt: Date) => void
  clock: Clock
  metrics: UploadMetrics
  logger: Logger
}

/** How guests send files: by tickets straight to blob storage, or in forms. */
export const createSending = (
  config: Config,
  {
    uploads,
    events,
    directBlobs,
    blobs,
    formSlots,
    ticketLifeMs,
    guestLimits,
    reportUsage,
    clock,
    metrics,
    logger,
  }: Deps,
) => {
  const { find: findEvent, findOpen: findOpenEvent } = events
  const quotas = createQuotas({
    uploads,
    report: reportUsage,
    clock,
    ...guestLimits.day,
  })
  const admitUploads = createAdmission({ findOpenEvent, quotas, uploads })
  const tickets = createTickets({ secret: config.TICKET_SECRET, blobs: directBlobs, ticketLifeMs, clock })
  const openTickets = createOpenTickets(guestLimits.openTickets)
  return {
    ...createTicketRequests({
      isEnabled: config.DIRECT_UPLOADS === 'on',
      findOpenEvent,
      uploads,
      blobs: directBlobs,
      quotas,
      openTickets,
      tickets,
      newId: newUploadId,
      clock,
      limits: config,
      metrics,
    }),
    complete: createCompletion({
      tickets,
      findEvent,
      admitUploads,
      uploads,
      blobs: directBlobs,
      discard: async (uploadId) => {
        await blobs.removeAll(uploadId)
        await blobs.removeStaged(uploadId)
      },
      openTickets,
      clock,
      metrics,
      logger,
    }),
    receiveForm: createForms({
      config,
      slots: formSlots,
      blobs,
      findOpenEvent,
      admitUploads,
      newId: (eventId) => newUploadId(eventId, clock()),
      clock,
      metrics,
      logger,
    }),
  }
}
export type Sending = ReturnType<typeof createSending>
