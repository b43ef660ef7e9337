import { getGuestToken } from '@confetti/api-client'
import { setSetting } from '@confetti/guest-storage'
import { site } from '@confetti/session'

/** Stores what the service worker needs: the event that shared files are for, the API, and the guest's token for it. */
export const shareWithServiceWorker = async (eventId: string): Promise<void> => {
  await setSetting('lastEventId', eventId)
  await setSetting('apiUrl', site().apiUrl)
  const guestToken = getGuestToken()
  if (guestToken) await setSetting('guestToken', guestToken)
}
