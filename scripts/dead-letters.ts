import { openDeadLetters, queueNames } from '@confetti/messaging'
import { namespace, runningBackends } from './places.ts'

// Shows the messages that were given up, or sends those of one queue again.

const usage = `npm run dead-letters -- list
npm run dead-letters -- send-again <queue>      queues: ${queueNames.join(', ')}`

const deadLetters = await openDeadLetters({
  url: process.env.RABBITMQ_URL ?? (await runningBackends()).rabbitmq,
  namespace: process.env.RABBITMQ_NAMESPACE ?? namespace,
})
try {
  const [verb, name] = process.argv.slice(2)
  const queue = queueNames.find((each) => each === name)
  if (verb === 'list') {
    const letters = await deadLetters.list()
    for (const letter of letters)
      console.log(
        `${letter.queue}  ${letter.messageId}  after ${letter.attempts} attempts: ${letter.reason}\n  ${letter.content}`,
      )
    console.log(`${letters.length} dead letters`)
  } else if (verb === 'send-again' && queue) console.log(`${await deadLetters.sendAgain(queue)} sent again`)
  else {
    console.error(usage)
    process.exitCode = 1
  }
} finally {
  await deadLetters.close()
}
