import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { newAccount } from '@confetti/contracts'
import { AppError, ConfigError, invalid, readConfig } from '@confetti/service-kit'
import { addAdmin } from './add-admin.ts'
import { createAdminConfigSchema } from './config.ts'

const nullOutput = new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * Reads a new password from standard input: at a terminal it is entered twice and not echoed, otherwise it is the
 * first line. Throws `invalid` if the two entries differ or the input is empty.
 */
const readPassword = async (): Promise<string> => {
  const isTerminal = process.stdin.isTTY
  // With `terminal`, readline turns the terminal's echo off and writes the characters to `output` instead.
  const lines = createInterface({ input: process.stdin, output: nullOutput, terminal: isTerminal })
  lines.once('SIGINT', () => lines.close())
  const input = lines[Symbol.asyncIterator]()
  const prompt = async (text: string): Promise<string> => {
    if (isTerminal) process.stderr.write(text)
    const { value, done } = await input.next()
    if (isTerminal) process.stderr.write('\n')
    if (done) throw invalid('No password was given.')
    return value
  }
  try {
    const password = await prompt('Password: ')
    if (isTerminal && (await prompt('Repeat password: ')) !== password)
      throw invalid('The passwords do not match.')
    return password
  } finally {
    lines.close()
  }
}

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
