import { ConfigError, readConfig } from '@confetti/service-kit'
import { recoveryConfigSchema } from './config.ts'
import { recoverUploads } from './open-recovery.ts'

// Lists photos and videos that only blob storage knows, after the database was restored from a backup. With --write it
// makes records of them, and ends the state in which the sweep removes nothing.

const run = async (): Promise<void> => {
  const isWriting = process.argv.includes('--write')
  const counts = new Map<string, number>()
  await recoverUploads(readConfig(recoveryConfigSchema, process.env), {
    isWriting,
    onUpload: ({ uploadId, eventId = '', outcome }) => {
      console.log([uploadId, eventId, outcome].join('\t'))
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    },
  })
  const summary = [...counts].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')
  console.log(
    `${isWriting ? 'Written' : 'Nothing was written, use --write'}. ${summary || 'Nothing is lost'}.`,
  )
}

await run().catch((error: unknown) => {
  // The message of these errors says how to fix them; others need their stack.
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
})
