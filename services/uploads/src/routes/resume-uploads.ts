import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ResumeUploads } from '../domain/resume-uploads.ts'

export interface ResumeUploadsDeps {
  resumeUploads: ResumeUploads
}

export const resumeUploadsRoute = ({
  resumeUploads,
}: ResumeUploadsDeps): Route<typeof contracts.resumeUploads> => ({
  ...contracts.resumeUploads,
  handle: async ({ body: { tickets } }) => ({ status: 200, body: { tickets: await resumeUploads(tickets) } }),
})
