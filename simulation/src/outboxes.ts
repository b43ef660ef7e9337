import { BrokenPromise } from './promises.ts'
import { serviceNames, type ServiceName } from './services.ts'
import type { World } from './world.ts'

/** Whether what services put in their outboxes reaches the broker, though much of it would become known without it, too. */
export const createOutboxPromises = ({ databases, isPublished }: World) => {
  /** The messages that the broker did not have when they were last looked at, by id: what they are about. */
  const waiting = new Map<string, { service: ServiceName; collection: string; id: string; type: string }>()

  return {
    /** Looks at what waits to be published. Call it in each step. */
    watch: (): void => {
      for (const service of serviceNames)
        for (const collection of databases[service].names())
          for (const { _id, outboxPending, outbox } of databases[service].read(collection))
            for (const message of outboxPending ? (outbox as { id: string; type: string }[]) : [])
              if (!waiting.has(message.id))
                waiting.set(message.id, { service, collection, id: String(_id), type: message.type })
    },

    /** Call it when nothing waits any more. Messages about what has been removed since may be gone with it. */
    check: (): void => {
      for (const [messageId, { service, collection, id, type }] of waiting) {
        const isThere = databases[service].read(collection).some(({ _id }) => String(_id) === id)
        if (isThere && !isPublished(messageId))
          throw new BrokenPromise(`${service} has never published a ${type} of ${collection}/${id}`)
      }
    },
  }
}
