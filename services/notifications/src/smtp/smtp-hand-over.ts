import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import pTimeout from 'p-timeout'
import type { Config } from '../config.ts'
import type { HandOver, HandoverResult, LeasedMail } from '../mails/mail.ts'

interface SmtpServer {
  host: string
  port: number
  /** TLS from the start. */
  secure: boolean
  requireTLS: boolean
  tls: { rejectUnauthorized: boolean }
  auth?: { user: string; pass: string }
}

/**
 * The server of an `smtp://` or `smtps://` address. With credentials the connection is encrypted and its certificate is
 * verified. Without credentials `smtp://` is encrypted if the server offers it, as between mail servers.
 */
export const parseSmtpUrl = (text: string): SmtpServer => {
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  const hasCredentials = url.username !== ''
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    requireTLS: hasCredentials,
    tls: { rejectUnauthorized: secure || hasCredentials },
    ...(hasCredentials && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  }
}

interface Sender {
  /** As `Confetti <no-reply@example.org>`. */
  from: string
  /** The address alone. */
  address: string
}

export const parseSender = (from: string): Sender => ({ from, address: /<(.+)>$/.exec(from)?.[1] ?? from })

/** The Message-ID of a mail: the same however often it is composed, so that receivers recognise a repetition. */
export const messageIdOf = (cause: string, { address }: Sender): string => {
  const hash = createHash('sha256').update(cause).digest('hex').slice(0, 32)
  return `<${hash}@${address.split('@')[1] ?? 'localhost'}>`
}

/** Composes a mail as MIME. Its bytes depend on the mail alone, except for the boundary between text and HTML. */
export const composeMessage = (
  { cause, to, createdAt, content: { subject, text, html, unsubscribeUrl } }: LeasedMail,
  sender: Sender,
): Promise<Buffer> =>
  new MailComposer({
    from: sender.from,
    // As an object, which is not parsed as a list of addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    date: createdAt,
    messageId: messageIdOf(cause, sender),
    headers: {
      // No automatic replies, such as those during holidays.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()

// The whole attempt, whatever the server does; less than the lease of a mail.
const ATTEMPT_TIMEOUT_MS = 120_000
const MAX_REASON_CHARACTERS = 200
// The sign-in is missing, or was refused.
const signInRefused = [530, 535, 538]
// Codes of RFC 3463: the sender's address, and what the server's policy forbids the sender, the client or the recipient.
const senderRefused = /^[45]\.1\.[78]$/
const policyRefused = /^[45]\.7\./
// The answer to the size of a mail, which MAIL FROM tells.
const EXCEEDED_STORAGE = 552

/** An error of SMTPConnection. */
interface SmtpError extends Error {
  code?: string
  /** The command that failed. */
  command?: string
  /** The status of the server's reply, if there was one. */
  responseCode?: number
  /** The server's reply. */
  response?: string
}

/** The code of RFC 3463 in a server's reply. */
const enhancedCodeOf = ({ response = '' }: SmtpError): string | undefined =>
  /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0]

/**
 * Why a mail was not sent, for the log. Of a server's reply only the codes (RFC 3463): its text names the recipient, such as
 * '550 5.1.1 <guest@example.com>: Recipient address rejected'.
 */
const reasonOf = (error: SmtpError): string => {
  const { code, responseCode, message } = error
  const detail = responseCode === undefined ? message : enhancedCodeOf(error)
  return [code, responseCode, detail].filter(Boolean).join(' ').slice(0, MAX_REASON_CHARACTERS)
}

/** Thrown by the stream of a message that must not be sent. */
class CancelledError extends Error {
  override name = 'CancelledError'
}

/** Whether the address can be in an envelope: nothing in it ends the command or adds another recipient. */
export const isDeliverable = (address: string): boolean =>
  /^[^\s<>(),:;\\"\p{Cc}@]+@[^\s<>(),:;\\"\p{Cc}@]+$/u.test(address)

/** Creates `handOver` for the server at `url`. */
export const createSmtpHandOver = (
  url: string,
  { MAIL_FROM: from, SMTP_TIMEOUT_MS: timeoutMs }: Pick<Config, 'MAIL_FROM' | 'SMTP_TIMEOUT_MS'>,
): HandOver => {
  const { auth, ...server } = parseSmtpUrl(url)
  const sender = parseSender(from)

  const connect = async (connection: SMTPConnection): Promise<void> => {
    await new Promise<void>((resolve, reject) =>
      // A server that closes without a greeting is an error here, and not an event.
      connection.connect((error) => (error ? reject(error) : resolve())),
    )
    if (auth)
      await new Promise<void>((resolve, reject) =>
        connection.login(auth, (error) => (error ? reject(error) : resolve())),
      )
  }

  return async (mail, mayStart) => {
    if (!isDeliverable(mail.to)) return { outcome: 'rejected', reason: 'The address is not valid' }
    const connection = new SMTPConnection({
      ...server,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
    const failure = new Promise<never>((_, reject) => {
      connection.on('error', reject)
      connection.once('end', () => reject(new Error('The server closed the connection')))
    })
    failure.catch(() => undefined)
    /** From then on the server may act on the recipient, such as by asking the recipient's own server. */
    let isSignedIn = false
    /** Whether a byte of the message may have left. From then on only the server's reply says what became of it. */
    let hasStarted = false

    const send = async (): Promise<void> => {
      const message = await composeMessage(mail, sender)
      await connect(connection)
      isSignedIn = true
      // The connection reads it when the server has answered DATA.
      const stream = Readable.from(
        (async function* () {
          if (!(await mayStart())) throw new CancelledError()
          hasStarted = true
          yield message
        })(),
      )
      await new Promise<void>((resolve, reject) =>
        connection.send({ from: sender.address, to: [mail.to], size: message.length }, stream, (error) =>
          error ? reject(stream.errored ?? error) : resolve(),
        ),
      )
    }

    const resultOf = (error: SmtpError): HandoverResult => {
      const reason = reasonOf(error)
      if (error instanceof CancelledError) return { outcome: 'cancelled' }
      const { responseCode, command = '' } = error
      if (hasStarted && responseCode === undefined) return { outcome: 'unconfirmed', reason }
      const enhancedCode = enhancedCodeOf(error) ?? ''
      // Many servers answer MAIL FROM only after RCPT TO (in Postfix `smtpd_delay_reject`).
      const isAboutSender =
        (command === 'MAIL FROM' && responseCode !== EXCEEDED_STORAGE) ||
        signInRefused.includes(responseCode ?? 0) ||
        senderRefused.test(enhancedCode)
      if (!isSignedIn || isAboutSender) return { outcome: 'unavailable', reason }
      const isAboutRecipient = command === 'RCPT TO' && !policyRefused.test(enhancedCode)
      const isPermanent = (responseCode ?? 0) >= 500 && (hasStarted || isAboutRecipient)
      return { outcome: isPermanent ? 'rejected' : 'deferred', reason }
    }

    try {
      await pTimeout(Promise.race([send(), failure]), {
        milliseconds: ATTEMPT_TIMEOUT_MS,
        message: 'The server takes too long',
      })
      connection.quit()
      return { outcome: 'sent' }
    } catch (error) {
      connection.close()
      return resultOf(error as SmtpError)
    }
  }
}
