import { inviteUser, type Account as AccountView, type Envelope, type MessageType } from '@confetti/contracts'
import {
  call,
  eventually,
  randomEmail,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { databaseUrl } from '@confetti/launcher'
import mongoose, { type Connection } from 'mongoose'

export const connectDatabase = ({ backends, namespace }: TestSystem): Promise<Connection> =>
  mongoose.createConnection(databaseUrl(backends.mongo, namespace, 'auth')).asPromise()

/** The token in the fragment of a link that an account's owner gets. */
export const tokenOf = (link: string | undefined): string =>
  new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('token') ?? ''

/** Invites a new address where the system sends no mail. */
export const invite = async (
  auth: string,
  admin: Account,
  { email = randomEmail(), role = 'user' }: { email?: string; role?: 'user' | 'admin' } = {},
): Promise<{ user: AccountView; token: string }> => {
  const { body } = await call(auth, inviteUser, { token: admin.token, body: { email, role } })
  return { user: body.user as AccountView, token: tokenOf(body.invitationUrl as string) }
}

/** The messages of a type, each once: an outbox may publish a message again. */
export const messagesOf = <T extends MessageType>(
  recorded: RecordedMessages,
  type: T,
): Envelope<T>['data'][] => recorded.distinct(type).map(({ data }) => data)

type Mail = Envelope<'user.mail-requested.v1'>['data']

/** Waits for the mail number `count` of a kind that has been requested for an address, and returns the latest. */
export const waitForMail = async (
  recorded: RecordedMessages,
  { email, kind }: Pick<Mail, 'email' | 'kind'>,
  count = 1,
): Promise<Mail> => {
  const mails = await eventually(() => {
    const matching = messagesOf(recorded, 'user.mail-requested.v1').filter(
      (mail) => mail.email === email && mail.kind === kind,
    )
    return matching.length >= count && matching
  })
  const latest = mails.at(-1)
  if (!latest) throw new Error(`there is no mail ${kind} to ${email}`)
  return latest
}
