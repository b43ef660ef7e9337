import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { evenings, type Command } from './commands.ts'
import { playEvening, type Evening } from './evening.ts'

// `npm run simulate -- --seeds 1000 --from 0` plays so many evenings, on all processors. `--seed N` repeats one; if it fails, it
// looks for a shorter one that fails, too, and prints what happened in that one.

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    /** Stops after so many failures. */
    failures: { type: 'string', default: '5' },
    seed: { type: 'string' },
  },
})

/** What one process has played. */
interface Played {
  evenings: number
  steps: number
  failed: { seed: number; message: string }[]
}

const commandsOf = (seed: number): Command[] => fc.sample(evenings, { seed, numRuns: 1 })[0] ?? []

const explain = async (seed: number): Promise<void> => {
  let shortest: { commands: Command[]; evening: Evening } | undefined
  const property = fc.asyncProperty(evenings, async (commands) => {
    const evening = await playEvening(commands, seed)
    if (evening.failure) shortest = { commands, evening }
    return !evening.failure
  })
  await fc.check(property, { seed, numRuns: 1 })
  const { commands, evening } = shortest ?? {
    commands: commandsOf(seed),
    evening: await playEvening(commandsOf(seed), seed),
  }
  console.log(evening.trace.join('\n'))
  for (const command of commands) console.log(JSON.stringify(command))
  console.log(`Seed ${seed}: ${evening.failure?.stack ?? 'nothing fails'}`)
}

const play = async (seeds: Iterable<number>, maxFailures: number): Promise<Played> => {
  const played: Played = { evenings: 0, steps: 0, failed: [] }
  for (const seed of seeds) {
    const { steps, failure } = await playEvening(commandsOf(seed), seed)
    played.evenings += 1
    played.steps += steps
    if (failure) played.failed.push({ seed, message: `${failure.name}: ${failure.message}` })
    if (played.failed.length >= maxFailures) break
  }
  return played
}

/** Every so many of the seeds, for one process of several. */
const seedsOf = function* (job: number, jobs: number): Generator<number> {
  const from = Number(values.from)
  for (let seed = from + job; seed < from + Number(values.seeds); seed += jobs) yield seed
}

const playInProcess = async (job: number, jobs: number): Promise<Played> => {
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
    env: { ...process.env, SIMULATION_JOB: `${job}/${jobs}` },
  })
  const exited = once(child, 'exit').then(() => {
    throw new Error('A process of the simulation ended without a result')
  })
  const [played] = (await Promise.race([once(child, 'message'), exited])) as [Played]
  exited.catch(() => undefined)
  return played
}

const playAll = async (): Promise<void> => {
  const startedAt = performance.now()
  const jobs = Number(values.jobs)
  const parts = await Promise.all(Array.from({ length: jobs }, (_, job) => playInProcess(job, jobs)))
  const seconds = (performance.now() - startedAt) / 1_000
  const count = parts.reduce((sum, part) => sum + part.evenings, 0)
  const steps = parts.reduce((sum, part) => sum + part.steps, 0)
  const failed = parts.flatMap((part) => part.failed)
  for (const { seed, message } of failed) console.log(`Seed ${seed}: ${message}`)
  console.log(
    `${count} evenings of ${steps} steps in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(1)} a second: ${failed.length} failed`,
  )
  if (failed.length > 0) {
    console.log('`npm run simulate -- --seed N` shows what happened.')
    process.exitCode = 1
  }
}

const { SIMULATION_JOB } = process.env
if (values.seed !== undefined) await explain(Number(values.seed))
else if (SIMULATION_JOB === undefined) await playAll()
else {
  // A command that is killed must not leave processes that play on for hours.
  process.on('disconnect', () => process.exit())
  const [job = 0, jobs = 1] = SIMULATION_JOB.split('/').map(Number)
  process.send?.(await play(seedsOf(job, jobs), Number(values.failures)))
  process.disconnect()
}
