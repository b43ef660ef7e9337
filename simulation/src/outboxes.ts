import { BrokenPromise } from './promises.ts'
import { serviceNames, type ServiceName } from './services.ts'
import type { World } from './world.ts'

/** What erases the messages of an account with the account. */
const WITHOUT_TRACE: ReadonlySet<string> = new Set(['auth/users', 'contact/contacts'])

/** Whether what services put in their outboxes is published, also where a later synchronisation would make up for it. */
export const createOutboxPromises = ({ databases, isPublished }: World) => {
  /** What each message that was in an outbox is about, by its id. */
  const seen = new Map<string, { service: ServiceName; collection: string; id: string; type: string }>()

  return {
    /** Looks at what waits to be published. Call it in each step. */
    watch: (): void => {
      for (const service of serviceNames)
        for (const collection of databases[service].names())
          for (const { _id, outbox = [] } of databases[service].read(collection))
            for (const { id, type } of outbox as { id: string; type: string }[])
              if (!seen.has(id)) seen.set(id, { service, collection, id: String(_id), type })
    },

    /** Call it when nothing waits any more. */
    check: (): void => {
      for (const [messageId, { service, collection, id, type }] of seen) {
        if (isPublished(messageId)) continue
        const isErasable = WITHOUT_TRACE.has(`${service}/${collection}`)
        if (isErasable && !databases[service].read(collection).some(({ _id }) => String(_id) === id)) continue
        throw new BrokenPromise(`${service} has never published a ${type} of ${collection}/${id}`)
      }
    },
  }
}
