import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '@confetti/service-kit'
import { recoveryConfigSchema } from './config.ts'
import { recoverUploads } from './open-recovery.ts'

// Lists photos and videos that only blob storage knows, after the database was restored from a backup. With --write it
// makes records of them, and ends the state in which the sweep removes nothing, once the events of all are known; with
// --ignore-unknown also if they are not. --since <time> looks further back than the backup.

const run = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      write: { type: 'boolean' },
      since: { type: 'string' },
      'ignore-unknown': { type: 'boolean' },
    },
  })
  const isIgnoringUnknown = values['ignore-unknown'] === true
  const isWriting = values.write === true
  const since = values.since === undefined ? undefined : new Date(values.since)
  if (Number.isNaN(since?.getTime()))
    throw new ConfigError('--since is not a time, such as 2027-06-12T20:00:00Z')
  const counts = new Map<string, number>()
  const config = readConfig(recoveryConfigSchema, process.env)
  await recoverUploads(
    config,
    { isWriting, since, isIgnoringUnknown },
    ({ uploadId, eventId = '', outcome }) => {
      console.log([uploadId, eventId, outcome].join('\t'))
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (outcome === 'failed') process.exitCode = 1
    },
  )
  const summary = [...counts].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')
  console.log(
    `${isWriting ? 'Written' : 'Nothing was written, use --write'}. ${summary || 'Nothing is lost'}.`,
  )
  const unknown = counts.get('event unknown') ?? 0
  if (unknown > 0 && !isIgnoringUnknown)
    console.log(
      `${unknown} of an event that this database does not know are kept. If their events are being restored, wait until uploads has copies of them, and run this again. If they are lost, add --ignore-unknown.`,
    )
}

await run().catch((error: unknown) => {
  // The message of these errors says how to fix them; others need their stack.
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
})
