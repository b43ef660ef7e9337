import { openDeadLetters, queueNames, redactContent } from '@confetti/messaging'
import { namespace, readBackendAddresses } from './backend-addresses.ts'

// Lists the dead letters, or returns those of one queue to it.

const usage = `npm run dead-letters -- list
npm run dead-letters -- send-again <queue>      queues: ${queueNames.join(', ')}`

const deadLetters = await openDeadLetters({
  url: process.env.RABBITMQ_URL ?? (await readBackendAddresses()).rabbitmq,
  namespace: process.env.RABBITMQ_NAMESPACE ?? namespace,
})
try {
  const [command, name] = process.argv.slice(2)
  const queue = queueNames.find((each) => each === name)
  if (command === 'list') {
    const letters = await deadLetters.list()
    for (const letter of letters)
      console.log(
        `${letter.queue}  ${letter.messageId}  after ${letter.attempts} attempts: ${letter.reason}\n  ${redactContent(letter.content)}`,
      )
    console.log(`${letters.length} dead letters`)
  } else if (command === 'send-again' && queue)
    console.log(`${await deadLetters.requeue(queue)} messages requeued`)
  else {
    console.error(usage)
    process.exitCode = 1
  }
} finally {
  await deadLetters.close()
}
