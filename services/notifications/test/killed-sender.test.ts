import { eventually, randomEmail, type ReceivedMail } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startHarness, type Harness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ processes: ['notifications'] })
})
afterAll(() => harness.stop())

const replica = () => {
  const [process] = harness.system.replicas('notifications')
  if (!process) throw new Error('No process')
  return process
}

test('When the process is killed before the content is sent, then the mail is sent by the next one, once', async () => {
  const email = randomEmail()
  const asked = Promise.withResolvers<undefined>()
  harness.mailServer.onRecipient(() => {
    asked.resolve(undefined)
    return 'hang'
  })
  await harness.requestReset(email)
  await asked.promise
  await replica().stop('SIGKILL')
  harness.mailServer.onRecipient(() => 'accept')
  // The lease of the dead process.
  await harness.collection('mails').updateOne({ to: email }, { $set: { dueAt: new Date() } })
  await replica().restart()
  await harness.waitForMail(email)
  await eventually(async () => (await harness.mailDocuments({ to: email, state: 'sent' })).length === 1)
  expect(harness.mailServer.mailsTo(email)).toHaveLength(1)
})

test('When the process is killed between the content and the answer, then the mail is reported and not sent again', async () => {
  const email = randomEmail()
  const received = Promise.withResolvers<ReceivedMail>()
  const answer = Promise.withResolvers<'accept'>()
  harness.mailServer.onContent((mail) => {
    received.resolve(mail)
    return answer.promise
  })
  await harness.requestReset(email)
  await received.promise
  const [stored] = await harness.mailDocuments({ to: email })
  expect(stored?.state).toBe('sending')
  await replica().stop('SIGKILL')
  answer.resolve('accept')
  harness.mailServer.onContent(() => 'accept')
  await replica().restart()
  await harness
    .collection('mails')
    .updateOne({ to: email }, { $set: { changedAt: new Date(Date.now() - 3_600_000) } })
  await eventually(
    async () => (await harness.mailDocuments({ to: email, state: 'unconfirmed' })).length === 1,
  )
  const next = randomEmail()
  await harness.requestReset(next)
  await harness.waitForMail(next)
  expect(harness.mailServer.mailsTo(email).length).toBeLessThanOrEqual(1)
})

test('When the process is stopped while it sends, then it finishes the mail first', async () => {
  const email = randomEmail()
  const received = Promise.withResolvers<undefined>()
  const answer = Promise.withResolvers<'accept'>()
  harness.mailServer.onContent(() => {
    received.resolve(undefined)
    return answer.promise
  })
  await harness.requestReset(email)
  await received.promise
  const stopped = replica().stop()
  answer.resolve('accept')
  expect(await stopped).toBe(0)
  expect(await harness.mailDocuments({ to: email, state: 'sent' })).toHaveLength(1)
  harness.mailServer.onContent(() => 'accept')
  await replica().restart()
})
