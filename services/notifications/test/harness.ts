import { randomBytes, randomUUID } from 'node:crypto'
import type { Envelope, MessageData, MessageType } from '@confetti/contracts'
import { databaseUrl, type ServiceName } from '@confetti/launcher'
import {
  eventually,
  randomEmail,
  readCounter,
  recordMessages,
  startMailServer,
  startTestSystem,
  type MailServer,
  type ReceivedMail,
} from '@confetti/test-kit'
import mongoose from 'mongoose'

export const SHELL_URL = 'https://photos.confetti.test'
export const API_URL = 'https://api.confetti.test'

export const newId = (): string => randomBytes(12).toString('hex')

/** The id of an upload starts with its time, in seconds. */
export const newUploadId = (uploadedAt = new Date()): string =>
  Math.floor(uploadedAt.getTime() / 1_000).toString(16) + randomBytes(8).toString('hex')

export const envelope = <T extends MessageType>(type: T, data: MessageData<T>): Envelope<T> => ({
  specversion: '1.0',
  id: randomUUID(),
  type,
  source: '/test',
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  data,
})

/** Collections of the service's database, whose ids are text. */
export interface StoredDocument {
  _id: string
  [field: string]: unknown
}

/** Starts the service with a mail server. The test plays the part of the other services. */
export const startHarness = async ({
  environment = {},
  smtpUrl,
  mongoUrl,
  replicas = 1,
  processes = [],
}: {
  environment?: Record<string, string>
  /** Another address of the mail server, such as that of a proxy, or none. */
  smtpUrl?: (mailServer: MailServer) => string | Promise<string>
  /** The address of a proxy to the database. */
  mongoUrl?: string
  replicas?: number
  processes?: readonly ServiceName[]
} = {}) => {
  const mailServer = await startMailServer()
  const system = await startTestSystem({
    services: ['auth', 'events', 'notifications'],
    processes,
    shellUrl: SHELL_URL,
    ...(mongoUrl !== undefined && { backends: { mongo: mongoUrl } }),
    replicas: { notifications: replicas },
    environment: {
      auth: { MAIL: 'on' },
      notifications: {
        SMTP_URL: smtpUrl ? await smtpUrl(mailServer) : mailServer.url,
        API_URL,
        MAIL_FROM: 'Confetti <no-reply@confetti.test>',
        MAIL_RETRY_DELAY_MS: '200',
        CHECK_INTERVAL_MS: '200',
        ...environment,
      },
    },
  })
  const recorded = await recordMessages(system)
  const connection = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'notifications'))
    .asPromise()
  const collection = (name: string) => connection.collection<StoredDocument>(name)
  const publishedCounts = new Map<MessageType, number>()
  const publishMessage = async (message: Envelope): Promise<void> => {
    publishedCounts.set(message.type, (publishedCounts.get(message.type) ?? 0) + 1)
    await recorded.publish(message)
  }
  const publish = <T extends MessageType>(type: T, data: MessageData<T>) =>
    publishMessage(envelope(type, data))

  const newUser = async (role: 'user' | 'admin' = 'user') => {
    const user = { _id: newId(), email: randomEmail(), role }
    await publish('user.registered.v1', user)
    await eventually(() => collection('users').findOne({ _id: user._id }), 'the copy of the account')
    return user
  }

  return {
    system,
    mailServer,
    collection,
    publish,
    publishMessage,
    /** Waits until all messages of a type that have been published so far are handled. */
    waitUntilHandled: (type: MessageType) => {
      const queue = `notifications.${type.replace(/\.v1$/, '').replace('.', '-')}`
      return eventually(
        async () =>
          (await readCounter(system, 'notifications', 'messaging_handled_total', {
            queue,
            outcome: 'handled',
          })) >= Number(publishedCounts.get(type)),
        `the messages in ${queue}`,
      )
    },
    newUser,
    newEvent: async (
      organisers: readonly { _id: string }[],
      fields: Partial<MessageData<'event.created.v1'>> = {},
    ) => {
      const event = {
        _id: newId(),
        eventFor: organisers[0]?._id ?? newId(),
        organisers: organisers.map(({ _id }) => _id),
        uploadsCloseAt: new Date().toISOString(),
        name: 'Anna & Ben',
        revision: 0,
        ...fields,
      }
      await publish('event.created.v1', event)
      await eventually(() => collection('events').findOne({ _id: event._id }), 'the copy of the event')
      return event
    },
    /** Asks for a mail with a link to reset a password. */
    requestReset: async (email: string, userId = newId()) => {
      const message = envelope('user.mail-requested.v1', {
        kind: 'password-reset',
        userId,
        email,
        link: `${SHELL_URL}/reset-password#${randomUUID()}`,
      })
      await publishMessage(message)
      return message
    },
    waitForMail: (address: string, count = 1): Promise<ReceivedMail> =>
      eventually(() => mailServer.mailsTo(address)[count - 1], `mail number ${count} to ${address}`),
    mailDocuments: (filter: Record<string, unknown>) => collection('mails').find(filter).toArray(),
    stop: async (): Promise<void> => {
      await connection.close()
      await recorded.close()
      await system.stop()
      await mailServer.stop()
    },
  }
}
export type Harness = Awaited<ReturnType<typeof startHarness>>
