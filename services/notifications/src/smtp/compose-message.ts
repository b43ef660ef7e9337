import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { LeasedMail } from '../mails/mail.ts'

export interface Sender {
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
