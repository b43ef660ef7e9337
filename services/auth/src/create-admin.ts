import { newAccount } from '@confetti/contracts'
import { AppError, ConfigError, connectMongo, createLogger, invalid, readConfig } from '@confetti/service-kit'
import { createAdminConfig } from './config.ts'
import { makeCreateAdmin } from './domain/create-admin.ts'
import { createPasswords } from './domain/passwords.ts'
import { readPassword } from './read-password.ts'
import { userModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

const readAccount = async (givenPassword: string | undefined) => {
  const email = newAccount.shape.email.safeParse(process.argv[2])
  if (!email.success || process.argv.length > 3)
    throw invalid(
      'Usage: node src/create-admin.ts <email>\nThe password comes from ADMIN_PASSWORD or is asked for.',
    )
  const password = newAccount.shape.password.safeParse(givenPassword ?? (await readPassword()))
  if (!password.success) throw invalid(password.error.issues[0]?.message ?? 'The password is not valid.')
  return { email: email.data, password: password.data }
}

const run = async (): Promise<void> => {
  const config = readConfig(createAdminConfig, process.env)
  const account = await readAccount(config.ADMIN_PASSWORD)
  // What goes wrong is thrown and told below; a log would only mix with that.
  const connection = await connectMongo(config.MONGO_URL, createLogger('create-admin', 'fatal'))
  try {
    const users = userModel(connection)
    await users.createIndexes()
    const createAdmin = makeCreateAdmin({
      // The running service finds the message in the outbox.
      users: createUserStore({ users, nudge: () => undefined }),
      passwords: await createPasswords({ atOnce: 1, waiting: 1 }),
    })
    const { email } = await createAdmin(account)
    console.log(`Admin ${email} created.`)
  } finally {
    await connection.close()
  }
}

await run().catch((error: unknown) => {
  // Says what to put right.
  const isPlain = error instanceof ConfigError || error instanceof AppError
  console.error(isPlain ? error.message : error)
  process.exitCode = 1
})
