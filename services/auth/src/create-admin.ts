import { newAccount } from '@confetti/contracts'
import {
  AppError,
  ConfigError,
  connectMongo,
  createLogger,
  invalid,
  readConfig,
  systemClock,
} from '@confetti/service-kit'
import { createAdminConfigSchema } from './config.ts'
import { makeCreateAdmin } from './domain/create-admin.ts'
import { createPasswordHasher } from './domain/password-hasher.ts'
import { readPassword } from './read-password.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

const readAccount = async (configuredPassword: string | undefined) => {
  const email = newAccount.shape.email.safeParse(process.argv[2])
  if (!email.success || process.argv.length > 3)
    throw invalid(
      'Usage: create-admin <email>\nThe password is read from ADMIN_PASSWORD, or from standard input.',
    )
  const password = newAccount.shape.password.safeParse(configuredPassword ?? (await readPassword()))
  if (!password.success) throw invalid(password.error.issues[0]?.message ?? 'The password is not valid.')
  return { email: email.data, password: password.data }
}

const run = async (): Promise<void> => {
  const config = readConfig(createAdminConfigSchema, process.env)
  const account = await readAccount(config.ADMIN_PASSWORD)
  // The logger is silent: errors are printed below.
  const connection = await connectMongo(config.MONGO_URL, createLogger('create-admin', 'fatal'))
  try {
    const model = createUserModel(connection)
    await model.createIndexes()
    const createAdmin = makeCreateAdmin({
      // There is no relay here: the running service publishes the message from the outbox.
      users: createUserStore({ model, wakeRelay: () => undefined, clock: systemClock }),
      passwordHasher: await createPasswordHasher({ concurrency: 1, queueLimit: 1 }),
    })
    const { email } = await createAdmin(account)
    console.log(`Admin ${email} created.`)
  } finally {
    await connection.close()
  }
}

await run().catch((error: unknown) => {
  // The message of these errors says how to fix them; others need their stack.
  const isExpected = error instanceof ConfigError || error instanceof AppError
  console.error(isExpected ? error.message : error)
  process.exitCode = 1
})
