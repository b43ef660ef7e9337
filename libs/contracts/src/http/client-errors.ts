import { z } from 'zod'
import { defineRoute } from '../route-contract.ts'
import { messageResponse } from './errors.ts'

/** The parts of the site whose code can fail in a browser. */
export const clientErrorSources = ['shell', 'public', 'organiser', 'admin'] as const

/** The largest body of a report. */
export const MAX_CLIENT_ERROR_BYTES = 4_096

/** An error in a browser. The texts may have personal data, which the gateway removes. */
export const clientError = z.object({
  remote: z.enum(clientErrorSources),
  /** The version of the remote, or of the shell. */
  release: z.string().regex(/^[\w.+-]{1,64}$/),
  /** The path of the page, without query and hash. */
  page: z.string(),
  error: z.string(),
  stack: z.string().optional(),
})
export type ClientError = z.infer<typeof clientError>

export const reportClientError = defineRoute({
  method: 'post',
  path: '/api/client-errors',
  summary: 'Report an error in a browser (at most 4 kB)',
  access: 'anyone',
  body: clientError,
  // A report is worth more than its form, and pages may be newer than the gateway.
  allowsUnknownFields: true,
  responses: { 202: messageResponse },
})

export const clientErrorsRoutes = { reportClientError }
