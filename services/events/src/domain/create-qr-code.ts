import { notFound, type Principal } from '@confetti/service-kit'
import QRCode from 'qrcode'
import type { EventStore } from '../storage/event-store.ts'
import { uploadUrlOf } from './event-views.ts'
import { mayManage } from './get-event.ts'

interface Deps {
  events: EventStore
  shellUrl: string
}

// Sharp on a poster, too; the screens show it at 100 px.
const WIDTH_PX = 600

/** The upload link as a QR code, for admins and the event's organiser. Throws `notFound` to all others. */
export const makeCreateQrCode =
  ({ events, shellUrl }: Deps) =>
  async (eventId: string, principal: Principal): Promise<{ qrCodeDataUrl: string; uploadUrl: string }> => {
    const event = await events.find(eventId)
    if (!event || !mayManage(event, principal))
      throw notFound('Event not found.', { code: 'event_not_found' })
    const uploadUrl = uploadUrlOf(shellUrl, event._id)
    const qrCodeDataUrl = await QRCode.toDataURL(uploadUrl, {
      errorCorrectionLevel: 'L',
      type: 'image/png',
      width: WIDTH_PX,
    })
    return { qrCodeDataUrl, uploadUrl }
  }
export type CreateQrCode = ReturnType<typeof makeCreateQrCode>
