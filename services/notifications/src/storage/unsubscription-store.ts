import { upsertWithRetry } from '@confetti/service-kit'
import type { UnsubscriptionStore } from '../domain/unsubscription.ts'
import type { UnsubscriptionModel } from './unsubscription-model.ts'

const idOf = (eventId: string, userId: string): string => `${eventId}/${userId}`

export const createUnsubscriptionStore = ({
  model,
}: {
  model: UnsubscriptionModel
}): UnsubscriptionStore => ({
  add: async (eventId, userId) => {
    await upsertWithRetry(() =>
      model.updateOne({ _id: idOf(eventId, userId) }, { $set: { eventId, userId } }, { upsert: true }).exec(),
    )
  },
  has: async (eventId, userId) => (await model.exists({ _id: idOf(eventId, userId) })) !== null,
  removeOfUser: async (userId) => {
    await model.deleteMany({ userId })
  },
  removeOfEvent: async (eventId) => {
    await model.deleteMany({ eventId })
  },
})
