import { newAccount } from '@confetti/contracts'
import { AppError, ConfigError, invalid, readConfig } from '@confetti/service-kit'
import { addAdmin } from './add-admin.ts'
import { createAdminConfigSchema } from './config.ts'
import { readPassword } from './read-password.ts'

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
  const { email } = await addAdmin(config.MONGO_URL, account)
  console.log(`Admin ${email} created.`)
}

await run().catch((error: unknown) => {
  // The message of these errors says how to fix them; others need their stack.
  const isExpected = error instanceof ConfigError || error instanceof AppError
  console.error(isExpected ? error.message : error)
  process.exitCode = 1
})
