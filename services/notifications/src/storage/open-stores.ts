import { createErasedIds, type Clock } from '@confetti/service-kit'
import type { Connection } from 'mongoose'
import { createDigestModel } from './digest-model.ts'
import { createDigestStore } from './digest-store.ts'
import { createEventModel } from './event-model.ts'
import { createEventStore } from './event-store.ts'
import { createMailModel } from './mail-model.ts'
import { createMailStore } from './mail-store.ts'
import { createNewUploadModel } from './new-upload-model.ts'
import { createNewUploadStore } from './new-upload-store.ts'
import { createUnsubscriptionModel } from './unsubscription-model.ts'
import { createUnsubscriptionStore } from './unsubscription-store.ts'
import { createUserModel } from './user-model.ts'
import { createUserStore } from './user-store.ts'

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
  return {
    mails: createMailStore({ model: models.mail, clock }),
    users: createUserStore({ model: models.user }),
    events: createEventStore({ model: models.event }),
    erasedIds: createErasedIds(connection, clock),
    newUploads: createNewUploadStore({ model: models.newUpload, clock }),
    digests: createDigestStore({ model: models.digest, clock }),
    unsubscriptions: createUnsubscriptionStore({ model: models.unsubscription }),
  }
}
