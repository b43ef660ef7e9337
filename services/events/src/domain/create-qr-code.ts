import type { Principal } from '@confetti/service-kit'
import QRCode from 'qrcode'
import { getUploadUrl } from './event-views.ts'
import { canManage, eventNotFound, type FindEvent } from './find-event.ts'

interface Deps {
  findEvent: FindEvent
  shellUrl: string
}

// Large enough for a printed poster.
const WIDTH_PX = 600

/** Creates a QR code of the upload link, for admins and the event's organiser. Throws `notFound` for everyone else. */
export const makeCreateQrCode =
  ({ findEvent, shellUrl }: Deps) =>
  async (eventId: string, principal: Principal): Promise<{ qrCodeDataUrl: string; uploadUrl: string }> => {
    const event = await findEvent(eventId)
    if (!canManage(event, principal)) throw eventNotFound()
    const uploadUrl = getUploadUrl(shellUrl, event._id)
    const qrCodeDataUrl = await QRCode.toDataURL(uploadUrl, {
      errorCorrectionLevel: 'L',
      type: 'image/png',
      width: WIDTH_PX,
    })
    return { qrCodeDataUrl, uploadUrl }
  }
export type CreateQrCode = ReturnType<typeof makeCreateQrCode>
