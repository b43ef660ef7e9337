import { openConnection, type ConnectionOptions } from '../connection.ts'
import { sendForm } from './send-form.ts'
import type { Guest } from './target.ts'

/** A guest who sends files in forms through the gateway, with the guest token that its first response brings. */
export const newFormGuest = (
  gateway: string,
  event: { eventId: string; photoCredit: string },
  connectionOptions: ConnectionOptions = {},
): Guest => {
  const connection = openConnection(connectionOptions)
  let guestToken: string | undefined
  return {
    send: async (file) => {
      const headers = guestToken ? { 'X-Guest-Token': guestToken } : {}
      const answer = await sendForm(connection, `${gateway}/api/uploads`, event, file, headers)
      guestToken ??= answer['x-guest-token']?.toString()
    },
    close: connection.close,
  }
}
