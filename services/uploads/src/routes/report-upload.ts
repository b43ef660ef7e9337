import * as contracts from '@confetti/contracts'
import { addressKey, type Route } from '@confetti/service-kit'
import type { ReportUpload } from '../domain/report-upload.ts'
import { guestIdOf } from './sender.ts'

export interface ReportUploadDeps {
  reportUpload: ReportUpload
}

export const reportUploadRoute = ({
  reportUpload,
}: ReportUploadDeps): Route<typeof contracts.reportUpload> => ({
  ...contracts.reportUpload,
  handle: async ({ params, request, address }) => {
    const reporter = { guestId: guestIdOf(request), address: addressKey(address) }
    await reportUpload(reporter, params.eventId, params.uploadId)
    return { status: 201, body: { message: 'Thank you for your report.' } }
  },
})
