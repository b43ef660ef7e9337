import { ThankYou as ThankYouMessage } from '../features/thank-you/thank-you.tsx'
import { SendingNotice } from '../features/upload/sending-notice.tsx'

export const ThankYou = () => (
  <>
    <ThankYouMessage />
    <SendingNotice />
  </>
)
