import type { User } from '@confetti/contracts'
import { connectMongo, createLogger, systemClock } from '@confetti/service-kit'
import { makeCreateAdmin } from './domain/create-admin.ts'
import { createPasswordHasher } from './domain/password-hasher.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

/**
 * Creates an admin's account in the database at `mongoUrl`, whether or not the service runs. Throws `conflict` if the
 * address has an account.
 */
export const addAdmin = async (
  mongoUrl: string,
  account: { email: string; password: string },
): Promise<User> => {
  // The logger is silent: callers report errors.
  const connection = await connectMongo(mongoUrl, createLogger('create-admin', 'fatal'))
  try {
    const model = createUserModel(connection)
    await model.createIndexes()
    const createAdmin = makeCreateAdmin({
      // There is no relay here: the running service publishes the message from the outbox.
      users: createUserStore({ model, wakeRelay: () => undefined, clock: systemClock }),
      passwordHasher: await createPasswordHasher({ concurrency: 1, queueLimit: 1 }),
    })
    return await createAdmin(account)
  } finally {
    await connection.close()
  }
}
