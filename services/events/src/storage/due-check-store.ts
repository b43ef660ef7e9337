import type { Connection } from 'mongoose'

const _id = 'last'

/** When the sweep last looked for events that are due for deletion. A restored database has the time of its backup. */
export const createDueCheckStore = (connection: Connection) => {
  const checks = connection.collection<{ _id: string; at: Date }>('duechecks')
  return {
    findLast: async (): Promise<Date | undefined> => (await checks.findOne({ _id }))?.at,

    /** Replicas whose clocks are slow change nothing. */
    add: async (at: Date): Promise<void> => {
      await checks.updateOne({ _id }, { $max: { at } }, { upsert: true })
    },
  }
}
export type DueCheckStore = ReturnType<typeof createDueCheckStore>
