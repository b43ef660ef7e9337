import { getGuestToken } from '@confetti/api-client'
import { getSetting, NO_EVENT, setSetting } from '@confetti/guest-storage'
import { site } from '@confetti/session'

/**
 * Stores what the service worker needs: the event that shared files are for, if it accepts uploads, the API, and the
 * guest's token for it.
 */
export const shareWithServiceWorker = async (eventId: string, uploadsOpen: boolean): Promise<void> => {
  if (uploadsOpen) await setSetting('lastEventId', eventId)
  else if ((await getSetting('lastEventId')) === eventId) await setSetting('lastEventId', NO_EVENT)
  await setSetting('apiUrl', site().apiUrl)
  const guestToken = getGuestToken()
  if (guestToken) await setSetting('guestToken', guestToken)
}
