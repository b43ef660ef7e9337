import { z } from 'zod'
import { uploadId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'
import { consentVersion, lastModified, rejectedFile, sha256, uploadResult } from './uploads.ts'

/** The most files of one call about tickets. */
export const MAX_TICKETS_PER_REQUEST = 100

const ticket = z.string().max(2_048)
const listOfTickets = <Item extends z.ZodType>(item: Item) =>
  z.object({ tickets: z.array(item).min(1).max(MAX_TICKETS_PER_REQUEST) })
const sentFile = z.union([
  ticket,
  z.object({
    ticket,
    sha256: sha256.optional().meta({
      description:
        'The hash of the file, if the ticket has none. Ignored if it has, or if the ticket was completed before. Without either, the server computes it.',
    }),
  }),
])
/** A ticket whose file has been sent, alone or with the hash of the file. */
export type SentFile = z.infer<typeof sentFile>

const headers = z.record(z.string(), z.string())

/** How the bytes of a file are sent to blob storage. The link writes one blob and can do nothing else. */
const singleTransfer = z
  .object({ kind: z.literal('single'), url: z.url(), headers })
  .meta({ description: 'One PUT of the whole file to `url` with `headers`.' })
const blockTransfer = z
  .object({
    kind: z.literal('blocks'),
    url: z.url(),
    headers,
    blockBytes: z.int().positive(),
    blockIds: z.array(z.string()),
  })
  .meta({
    description:
      'One PUT to `{url}&comp=block&blockid={blockId, percent-encoded}` with `headers` for each block, in any order. All blocks but the last have `blockBytes` bytes.',
  })
export type SingleTransfer = z.infer<typeof singleTransfer>
export type BlockTransfer = z.infer<typeof blockTransfer>
export type Transfer = SingleTransfer | BlockTransfer

const send = z.object({
  outcome: z.literal('send'),
  ticket,
  uploadId,
  expiresAt: z.iso.datetime().meta({ description: 'When the link expires. A resumption gives a new one.' }),
})
const rejected = z.object({ outcome: z.literal('rejected'), code: z.string(), message: z.string() })

const newTicket = z.discriminatedUnion('outcome', [
  send.extend({ transfer: z.discriminatedUnion('kind', [singleTransfer, blockTransfer]) }),
  z.object({ outcome: z.literal('duplicate'), upload: uploadResult }),
  rejected,
])
export type NewTicket = z.infer<typeof newTicket>

const resumedTicket = z.discriminatedUnion('outcome', [
  send.extend({
    transfer: z.discriminatedUnion('kind', [
      singleTransfer,
      blockTransfer.extend({
        received: z.array(z.string()).meta({ description: 'The ids of the blocks that have arrived.' }),
      }),
    ]),
  }),
  z.object({ outcome: z.literal('done'), upload: uploadResult }),
  rejected,
])
export type ResumedTicket = z.infer<typeof resumedTicket>

const declaredFile = z.object({
  name: z.string(),
  size: z.int().nonnegative(),
  sha256: sha256.optional(),
  lastModified: lastModified.optional(),
})
export type DeclaredFile = z.infer<typeof declaredFile>

export const createUploadTickets = defineRoute({
  method: 'post',
  path: '/api/uploads/tickets',
  summary:
    'Get permission to send files straight to blob storage. The response has a ticket for each file, in order',
  access: 'guest-or-anyone',
  needsPass: true,
  issuesGuestToken: true,
  body: z.object({
    eventId: z.string().default(''),
    photoCredit: z.string().default(''),
    consentVersion: consentVersion.optional().meta({
      description:
        'The version of what the guest agrees to, if the event asks for consent. Its tickets can be completed whatever changes later',
    }),
    files: z.array(declaredFile).max(MAX_TICKETS_PER_REQUEST),
  }),
  responses: { 201: z.object({ tickets: z.array(newTicket) }) },
  errors: [404, 410],
})

export const completeUploads = defineRoute({
  method: 'post',
  path: '/api/uploads/completions',
  summary:
    'Turn files that were sent with tickets into uploads, each by its ticket, or by its ticket and its hash. Completing again gives the same response',
  access: 'anyone',
  body: listOfTickets(sentFile),
  responses: {
    201: z.object({
      message: z.string(),
      uploads: z.array(uploadResult.extend({ uploadId })),
      rejected: z.array(rejectedFile.extend({ uploadId: uploadId.optional() })),
    }),
  },
  errors: [410],
})

export const resumeUploads = defineRoute({
  method: 'post',
  path: '/api/uploads/resumptions',
  summary: 'Get new links for tickets of the last 24 hours, and the blocks that have already arrived',
  access: 'anyone',
  body: listOfTickets(ticket),
  responses: { 200: z.object({ tickets: z.array(resumedTicket) }) },
  errors: [410],
})

export const directUploadsRoutes = { createUploadTickets, completeUploads, resumeUploads }
