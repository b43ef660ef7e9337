import type { User } from '@confetti/contracts'
import { conflict, connectMongo, createLogger, systemClock } from '@confetti/service-kit'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

/**
 * Creates an admin's account in the database at `mongoUrl`, whether or not the service runs. Throws `conflict` if the
 * address has an account: its role does not change.
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
    // There is no relay here: the running service publishes the message from the outbox.
    const users = createUserStore(model, { wakeRelay: () => undefined, clock: systemClock })
    const passwordHasher = await createPasswordHasher({ concurrency: 1, queueLimit: 1 })
    const passwordHash = await passwordHasher.hash(account.password)
    const admin = await users.add({ email: account.email, role: 'admin', passwordHash })
    if (!admin) throw conflict('An account with this email already exists.', { code: 'email_taken' })
    return admin.user
  } finally {
    await connection.close()
  }
}
