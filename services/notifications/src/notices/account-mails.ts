import type { MessageData } from '@confetti/contracts'
import type { Logger } from '@confetti/service-kit'
import type { NotificationMetrics } from '../metrics.ts'
import {
  renderInvitation,
  renderPasswordChanged,
  renderPasswordReset,
  type AccountLink,
} from '../templates/account-mails.ts'
import type { Site } from '../templates/layout.ts'
import { getTexts } from '../templates/texts.ts'
import type { EnqueueMail } from '../mails/enqueue-mail.ts'
import type { MailContent } from '../mails/mail.ts'

interface Deps {
  enqueueMail: EnqueueMail
  site: Site
  isMailOn: boolean
  metrics: Pick<NotificationMetrics, 'attempted'>
  logger: Logger
}

type Request = MessageData<'user.mail-requested.v1'>

const linkOf = ({ kind, link, expiresAt }: Request): AccountLink => {
  if (!link) throw new Error(`A mail of kind ${kind} needs a link`)
  return { url: link, ...(expiresAt && { expiresAt: new Date(expiresAt) }) }
}

const render = (request: Request, site: Site): MailContent => {
  const texts = getTexts(request.language)
  switch (request.kind) {
    case 'invitation':
      return renderInvitation(linkOf(request), site, texts)
    case 'password-reset':
      return renderPasswordReset(linkOf(request), site, texts)
    case 'password-changed':
      return renderPasswordChanged(site, texts)
  }
}

/** Enqueues a mail to the owner of an account, once for each request. While mail is off, it reports that auth expects one. */
export const createAccountMails =
  ({ enqueueMail, site, isMailOn, metrics, logger }: Deps) =>
  async (requestId: string, request: Request): Promise<void> => {
    const { kind, userId, email, expiresAt } = request
    if (!isMailOn) {
      metrics.attempted(kind, 'dead')
      logger.error({ kind }, 'mail requested while mail is off: set MAIL=off of auth, or SMTP_URL')
      return
    }
    await enqueueMail({
      cause: `${kind}/${requestId}`,
      kind,
      to: email,
      userId,
      content: render(request, site),
      ...(expiresAt && { expiresAt: new Date(expiresAt) }),
    })
  }
