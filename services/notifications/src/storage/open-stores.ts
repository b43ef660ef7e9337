import { createErasedIds, type Clock } from '@confetti/service-kit'
import type { Connection } from 'mongoose'
import {
  createDigestModel,
  createDigestStore,
  createNewUploadModel,
  createNewUploadStore,
  createUnsubscriptionModel,
  createUnsubscriptionStore,
} from './digest-store.ts'
import { createEventModel, createEventStore } from './event-store.ts'
import { createMailModel, createMailStore } from './mail-store.ts'
import { createUserModel, createUserStore } from './user-store.ts'

/** Creates the stores of the service in its database, and their indexes. */
export const openStores = async (connection: Connection, clock: Clock) => {
  const models = {
    mail: createMailModel(connection),
    user: createUserModel(connection),
    event: createEventModel(connection),
    newUpload: createNewUploadModel(connection),
    digest: createDigestModel(connection),
    unsubscription: createUnsubscriptionModel(connection),
  }
  for (const model of Object.values(models)) await model.createIndexes()
  const erasedIds = await createErasedIds(connection, clock)
  return {
    mails: createMailStore({ model: models.mail, clock }),
    users: createUserStore({ model: models.user }),
    events: createEventStore({ model: models.event, erasedIds }),
    erasedIds,
    newUploads: createNewUploadStore({ model: models.newUpload, clock }),
    digests: createDigestStore({ model: models.digest, clock }),
    unsubscriptions: createUnsubscriptionStore({ model: models.unsubscription }),
  }
}
