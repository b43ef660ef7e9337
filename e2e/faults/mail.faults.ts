import { contactAdmin, replyToContact, type Contact } from '@confetti/contracts'
import {
  call,
  eventually,
  newOrganiser,
  readCounter,
  startMailServer,
  type MailServer,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'

let mailServer: MailServer
let harness: FaultHarness

beforeAll(async () => {
  mailServer = await startMailServer()
  harness = await startFaultHarness({
    replicas: { notifications: 2 },
    environment: {
      notifications: { SMTP_URL: mailServer.url, MAIL_RETRY_DELAY_MS: '500', SMTP_TIMEOUT_MS: '5000' },
      contact: { USER_MESSAGES_PER_HOUR: '1000' },
    },
  })
}, 180_000)
afterAll(async () => {
  await harness.stop()
  await mailServer.stop()
}, 60_000)

/** An organiser writes to the admins, and an admin answers: each makes a mail. */
const exchangeMessages = async (count: number): Promise<Contact[]> => {
  const { token } = await newOrganiser(harness.api)
  const contacts: Contact[] = []
  for (let n = 0; n < count; n += 1) {
    const subject = `Message ${n} ${crypto.randomUUID()}`
    const sent = await call(harness.api, contactAdmin, { token, body: { subject, message: 'Please.' } })
    const contact = sent.body.contact as Contact
    const answered = await call(harness.api, replyToContact, {
      token: harness.admin.token,
      params: { contactId: contact._id },
      body: { message: 'Of course.' },
    })
    expect([sent.status, answered.status]).toEqual([201, 201])
    contacts.push(contact)
  }
  return contacts
}

/** The mails about a message that an address has got. */
const mailsAbout = ({ subject }: Contact, address: string): number =>
  mailServer.mailsTo(address).filter((mail) => mail.subject.includes(subject)).length

const expectedMails = (contacts: readonly Contact[]): { contact: Contact; address: string }[] =>
  contacts.flatMap((contact) =>
    [contact.userEmail, harness.admin.user.email].map((address) => ({ contact, address })),
  )

const reportDuplicates = (
  contacts: readonly Contact[],
  { reportViolation }: Pick<ScenarioContext, 'reportViolation'>,
): void => {
  for (const { contact, address } of expectedMails(contacts))
    if (mailsAbout(contact, address) > 1)
      reportViolation({ kind: 'duplicate', what: `the mail about ${contact.subject} was sent twice` })
}

const countOutcome = async (outcome: string): Promise<number> => {
  const kinds = ['contact-message', 'contact-reply']
  const counts = await Promise.all(
    kinds.map((kind) =>
      readCounter(harness.system, 'notifications', 'notifications_mails_total', { kind, outcome }),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

test('When the mail server is down for a time, and a sender is killed, then every mail is sent once afterwards', () =>
  runScenario(harness, async (context) => {
    await mailServer.stop()
    const contacts = await exchangeMessages(10)
    await eventually(async () => (await countOutcome('deferred')) >= 10, 'failed attempts')
    const [replica] = harness.system.replicas('notifications')
    await replica?.stop('SIGKILL')
    await mailServer.start()
    await replica?.restart()
    for (const { contact, address } of expectedMails(contacts))
      await eventually(
        () => mailsAbout(contact, address) > 0,
        `the mail about ${contact.subject}`,
        // Mails that the killed process had leased wait for the end of the lease.
        420_000,
      ).catch(() =>
        context.reportViolation({ kind: 'lost', what: `the mail about ${contact.subject} was not sent` }),
      )
    reportDuplicates(contacts, context)
  }))

test('When the connection to the mail server ends before its answer, then no mail is sent twice', () =>
  runScenario(harness, async (context) => {
    const before = await countOutcome('unconfirmed')
    let isLosingAnswers = true
    mailServer.onContent(() => (isLosingAnswers ? 'close-after-data' : 'accept'))
    const uncertain = await exchangeMessages(3)
    for (const { contact, address } of expectedMails(uncertain))
      await eventually(() => mailsAbout(contact, address) > 0, `the mail about ${contact.subject}`)
    isLosingAnswers = false
    // The mails of later messages: a repetition of the earlier ones would come before them.
    const later = await exchangeMessages(3)
    for (const { contact, address } of expectedMails(later))
      await eventually(() => mailsAbout(contact, address) > 0, `the mail about ${contact.subject}`)
    reportDuplicates([...uncertain, ...later], context)
    expect((await countOutcome('unconfirmed')) - before).toBe(6)
  }))
