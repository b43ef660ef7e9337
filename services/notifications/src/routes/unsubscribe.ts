import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { Unsubscribe } from '../domain/unsubscribe.ts'

export interface UnsubscribeDeps {
  unsubscribe: Unsubscribe
}

export const unsubscribeRoute = ({ unsubscribe }: UnsubscribeDeps): Route<typeof contracts.unsubscribe> => ({
  ...contracts.unsubscribe,
  handle: async ({ query }) => {
    await unsubscribe(query.subscription)
    return { status: 200, body: { message: 'You will get no more mails about new photos of this event.' } }
  },
})
