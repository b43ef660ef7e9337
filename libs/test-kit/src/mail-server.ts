import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

/** A mail that a server has accepted. */
export interface ReceivedMail {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  /** The header lines as they were sent. */
  headers: string
  raw: string
}

/** A refusal with this status, such as 451 or 550. */
interface Refusal {
  status: number
  /** The status of RFC 3463, by default that of a bad address. */
  enhancedCode?: string
}

/**
 * What the server does next: accept the mail, refuse it, close the connection before or after the content has arrived
 * (in the latter case it keeps the mail), or never answer.
 */
type MailServerAnswer = 'accept' | Refusal | 'close-before-data' | 'close-after-data' | 'hang'

export interface MailServer {
  url: string
  /** The mails that were accepted, and those that were kept when the connection was closed. */
  mails: ReceivedMail[]
  mailsTo: (address: string) => ReceivedMail[]
  /** Decides what happens to the sender, the recipients and the content of each mail; all are accepted without it. */
  onSender: (decide: (address: string) => MailServerAnswer) => void
  onRecipient: (decide: (address: string) => MailServerAnswer) => void
  onContent: (decide: (mail: ReceivedMail) => MailServerAnswer | Promise<MailServerAnswer>) => void
  /** Closes the port and all connections. */
  stop: () => Promise<void>
  /** Opens the same port again. */
  start: () => Promise<void>
}

/** With the address, as real servers answer. */
const toError = ({ status, enhancedCode = '5.1.1' }: Refusal, to: string): Error =>
  Object.assign(new Error(`${enhancedCode} <${to}>: Refused by the test`), { responseCode: status })

const headersOf = (raw: string): string => raw.slice(0, raw.indexOf('\r\n\r\n') + 2)

const toReceivedMail = (to: string, raw: string, mail: ParsedMail): ReceivedMail => ({
  to,
  subject: mail.subject ?? '',
  text: mail.text ?? '',
  html: typeof mail.html === 'string' ? mail.html : '',
  messageId: mail.messageId ?? '',
  headers: headersOf(raw),
  raw,
})

/** Starts a real SMTP server that can fail on real connections. */
export const startMailServer = async (): Promise<MailServer> => {
  const mails: ReceivedMail[] = []
  let decideSender: (address: string) => MailServerAnswer = () => 'accept'
  let decideRecipient: (address: string) => MailServerAnswer = () => 'accept'
  let decideContent: (mail: ReceivedMail) => MailServerAnswer | Promise<MailServerAnswer> = () => 'accept'
  let server: SMTPServer
  let port = 0
  const sockets = new Set<Socket>()

  const closeConnection = ({ remotePort }: SMTPServerSession): void => {
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy()
  }
  const answer = (
    decision: MailServerAnswer,
    { session, to }: { session: SMTPServerSession; to: string },
    callback: (error?: Error | null) => void,
  ): void => {
    if (decision === 'accept') callback()
    else if (decision === 'hang') return
    else if (typeof decision === 'string') closeConnection(session)
    else callback(toError(decision, to))
  }

  const start = async (): Promise<void> => {
    server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 1,
      onMailFrom: ({ address }, session, callback) =>
        answer(decideSender(address), { session, to: address }, callback),
      onRcptTo: ({ address: to }, session, callback) =>
        answer(decideRecipient(to), { session, to }, callback),
      onData: (stream, session, callback) => {
        void (async () => {
          const chunks: Buffer[] = []
          for await (const chunk of stream) chunks.push(chunk as Buffer)
          const content = Buffer.concat(chunks)
          const to = session.envelope.rcptTo[0]?.address ?? ''
          const mail = toReceivedMail(to, content.toString('latin1'), await simpleParser(content))
          const decision = await decideContent(mail)
          if (decision === 'accept' || decision === 'close-after-data') mails.push(mail)
          answer(decision, { session, to }, callback)
        })().catch(() => undefined)
      },
    })
    // Clients that disconnect in the middle.
    server.on('error', () => undefined)
    server.server.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    port = (server.server.address() as AddressInfo).port
  }

  await start()
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    mailsTo: (address) => mails.filter(({ to }) => to === address),
    onSender: (decide) => (decideSender = decide),
    onRecipient: (decide) => (decideRecipient = decide),
    onContent: (decide) => (decideContent = decide),
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
    start,
  }
}
