import {
  eventually,
  randomEmail,
  readCounter,
  startTcpProxy,
  testBackends,
  type TcpProxy,
} from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { startHarness, type Harness } from './harness.ts'

const MAX_ATTEMPTS = 3

let smtpProxy: TcpProxy
let databaseProxy: TcpProxy
let harness: Harness
beforeAll(async () => {
  databaseProxy = await startTcpProxy(testBackends().mongo)
  harness = await startHarness({
    replicas: 2,
    mongoUrl: databaseProxy.url,
    smtpUrl: async ({ url }) => {
      smtpProxy = await startTcpProxy(url)
      return smtpProxy.url
    },
    // On a busy machine a mail whose server is slow to respond would be unconfirmed.
    environment: {
      SMTP_TIMEOUT_MS: '8000',
      MAIL_MAX_ATTEMPTS: String(MAX_ATTEMPTS),
      SWEEP_INTERVAL_MS: '200',
    },
  })
})
afterAll(async () => {
  await harness.stop()
  await smtpProxy.close()
  await databaseProxy.close()
})
afterEach(() => {
  harness.mailServer.onSender(() => 'accept')
  harness.mailServer.onRecipient(() => 'accept')
  harness.mailServer.onContent(() => 'accept')
})

const waitForState = (email: string, state: string) =>
  eventually(async () => {
    const [mail] = await harness.mailDocuments({ to: email, state })
    return mail
  }, `a mail in state ${state}`)

const attempts = (outcome: string) =>
  readCounter(harness.system, 'notifications', 'notifications_mails_total', {
    kind: 'password-reset',
    outcome,
  })

test.each([
  ['is down', () => harness.mailServer.stop(), () => harness.mailServer.start()],
  [
    'refuses the sender',
    () => harness.mailServer.onSender(() => ({ status: 530 })),
    () => harness.mailServer.onSender(() => 'accept'),
  ],
  [
    'refuses the sender when it knows the recipient',
    () => harness.mailServer.onRecipient(() => ({ status: 553, enhancedCode: '5.1.7' })),
    () => harness.mailServer.onRecipient(() => 'accept'),
  ],
] as const)(
  'When the mail server %s for longer than all attempts, then every mail is sent once afterwards',
  async (_, fail, mend) => {
    const emails = Array.from({ length: 10 }, randomEmail)
    const before = { deferred: await attempts('deferred'), dead: await attempts('dead') }
    await fail()
    for (const email of emails) await harness.requestReset(email)
    // More than all mails together have attempts.
    await eventually(
      async () =>
        (await attempts('deferred')) > before.deferred + emails.length * MAX_ATTEMPTS ||
        (await attempts('dead')) > before.dead,
      'more failures than attempts, or a mail given up',
    )
    expect(await attempts('dead')).toBe(before.dead)
    await eventually(
      async () => (await fetch(new URL('/readyz', harness.system.url('notifications')))).ok,
      'readiness without the mail server',
    )
    await mend()
    for (const email of emails) await harness.waitForMail(email)
    for (const email of emails) await waitForState(email, 'sent')
    expect(emails.map((email) => harness.mailServer.mailsTo(email).length)).toEqual(emails.map(() => 1))
  },
)

test('When the server refuses a mail for now, then it is sent later, once', async () => {
  const email = randomEmail()
  let refusals = 2
  harness.mailServer.onContent(({ to }) => {
    if (to !== email || refusals === 0) return 'accept'
    refusals -= 1
    return { status: 451 }
  })
  await harness.requestReset(email)
  const sent = await waitForState(email, 'sent')
  expect(sent.attempts).toBe(3)
  expect(harness.mailServer.mailsTo(email)).toHaveLength(1)
})

test('When the server closes the connection before the content, then the mail is sent later, once', async () => {
  const email = randomEmail()
  let failures = 1
  harness.mailServer.onRecipient(() => {
    failures -= 1
    return failures < 0 ? 'accept' : 'close-before-data'
  })
  await harness.requestReset(email)
  await waitForState(email, 'sent')
  expect(harness.mailServer.mailsTo(email)).toHaveLength(1)
})

test('When the server refuses the recipient permanently, then the mail is given up at once, and counted', async () => {
  const email = randomEmail()
  const before = await attempts('dead')
  harness.mailServer.onRecipient(() => ({ status: 550 }))
  await harness.requestReset(email)
  const dead = await waitForState(email, 'dead')
  expect(dead.attempts).toBe(1)
  // Its link would give access to the account.
  expect(dead).not.toHaveProperty('content')
  // The reply has the address.
  expect(dead.reason).toBe('EENVELOPE 550 5.1.1')
  expect(harness.system.log.filter((line) => line.includes(email))).toEqual([])
  await eventually(async () => (await attempts('dead')) === before + 1, 'the counter')
})

test.each([
  ['never accepts a mail', () => harness.mailServer.onRecipient(() => ({ status: 450 }))],
  [
    'refuses to relay, to this recipient or all',
    () => harness.mailServer.onRecipient(() => ({ status: 554, enhancedCode: '5.7.1' })),
  ],
  ['breaks off when it knows the recipient', () => harness.mailServer.onRecipient(() => 'close-before-data')],
  ['finds a mail too large', () => harness.mailServer.onSender(() => ({ status: 552 }))],
] as const)('When the server %s, then it is given up after the last attempt', async (_, refuse) => {
  const email = randomEmail()
  refuse()
  await harness.requestReset(email)
  expect((await waitForState(email, 'dead')).attempts).toBe(MAX_ATTEMPTS)
})

const expectUnconfirmed = async (email: string): Promise<void> => {
  const unconfirmed = await waitForState(email, 'unconfirmed')
  expect(unconfirmed.attempts).toBe(1)
  expect(unconfirmed).not.toHaveProperty('content')
  harness.mailServer.onContent(() => 'accept')
  const next = randomEmail()
  await harness.requestReset(next)
  await waitForState(next, 'sent')
}

test.each([
  ['close-after-data', 1],
  ['close-before-data', 0],
] as const)(
  'When the connection ends after the content, with the server in mode %s, then the mail is not sent again',
  async (answer, received) => {
    const email = randomEmail()
    const before = await attempts('unconfirmed')
    harness.mailServer.onContent(() => answer)
    await harness.requestReset(email)
    await expectUnconfirmed(email)
    await eventually(async () => (await attempts('unconfirmed')) === before + 1, 'the counter')
    expect(harness.mailServer.mailsTo(email)).toHaveLength(received)
  },
)

test('When the server is silent before the content, then the mail is sent later, once; if after it, then it is not sent again', async () => {
  const [before, after] = [randomEmail(), randomEmail()]
  let silences = 1
  harness.mailServer.onRecipient((address) => {
    if (address !== before) return 'accept'
    silences -= 1
    return silences < 0 ? 'accept' : 'hang'
  })
  harness.mailServer.onContent(({ to }) => (to === after ? 'hang' : 'accept'))
  for (const email of [before, after]) await harness.requestReset(email)
  await waitForState(before, 'sent')
  await expectUnconfirmed(after)
  expect([before, after].map((email) => harness.mailServer.mailsTo(email).length)).toEqual([1, 0])
})

test('When a mail has waited for longer than mails are kept, then it is sent nevertheless', async () => {
  await harness.mailServer.stop()
  const [waiting, dead] = [randomEmail(), randomEmail()]
  for (const email of [waiting, dead]) await harness.requestReset(email)
  for (const email of [waiting, dead]) await waitForState(email, 'waiting')
  const mails = harness.collection('mails')
  const longAgo = { createdAt: new Date(0), changedAt: new Date(0) }
  await mails.updateOne({ to: waiting }, { $set: longAgo })
  await mails.updateOne({ to: dead }, { $set: { ...longAgo, state: 'dead', leaseId: '' } })
  await eventually(async () => (await mails.countDocuments({ to: dead })) === 0, 'the sweep')
  await harness.mailServer.start()
  await harness.waitForMail(waiting)
})

test('When a network between service and server loses connections, then no mail arrives twice', async () => {
  const emails = Array.from({ length: 30 }, randomEmail)
  for (const [index, email] of emails.entries()) {
    await harness.requestReset(email)
    if (index % 5 === 0) smtpProxy.setMode('refuse')
    if (index % 5 === 3) smtpProxy.setMode('pass')
  }
  smtpProxy.setMode('pass')
  const documents = await eventually(async () => {
    const found = await harness.mailDocuments({
      to: { $in: emails },
      state: { $in: ['sent', 'unconfirmed'] },
    })
    return found.length === emails.length && found
  }, 'all mails being sent or unconfirmed')
  for (const { to, state } of documents) {
    const received = harness.mailServer.mailsTo(to as string).length
    if (state === 'sent') expect(received).toBe(1)
    else expect(received).toBeLessThanOrEqual(1)
  }
})

test('When the reply of the database to a lease is lost, then the mail does not wait for the end of the lease', async () => {
  const email = randomEmail()
  let lost = 0
  databaseProxy.hooks.onReply = (chunk) => {
    if (lost > 0 || !chunk.includes('lastErrorObject') || !chunk.includes(email)) return
    lost += 1
    throw new Error('The connection is lost')
  }
  await harness.requestReset(email)
  await harness.waitForMail(email)
  expect(lost).toBe(1)
  expect(await harness.mailDocuments({ to: email, attempts: 2 })).toHaveLength(1)
})
