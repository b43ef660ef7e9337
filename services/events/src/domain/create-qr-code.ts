import type { Principal } from '@confetti/service-kit'
import QRCode from 'qrcode'
import { getUploadUrl } from './event-views.ts'
import type { FindManagedEvent } from './find-event.ts'

interface Deps {
  findManagedEvent: FindManagedEvent
  shellUrl: string
}

// Large enough for a printed poster.
const WIDTH_PX = 600

/** Creates a QR code of the upload link, for admins and the event's organiser. Throws `notFound` for everyone else. */
export const makeCreateQrCode =
  ({ findManagedEvent, shellUrl }: Deps) =>
  async (eventId: string, principal: Principal): Promise<{ qrCodeDataUrl: string; uploadUrl: string }> => {
    const event = await findManagedEvent(eventId, principal)
    const uploadUrl = getUploadUrl(shellUrl, event._id)
    const qrCodeDataUrl = await QRCode.toDataURL(uploadUrl, {
      errorCorrectionLevel: 'L',
      type: 'image/png',
      width: WIDTH_PX,
    })
    return { qrCodeDataUrl, uploadUrl }
  }
export type CreateQrCode = ReturnType<typeof makeCreateQrCode>
