import type { MessageData } from '@confetti/contracts'
import {
  renderInvitation,
  renderPasswordChanged,
  renderPasswordReset,
  type AccountLink,
} from '../templates/account-mails.ts'
import type { Site } from '../templates/layout.ts'
import { getTexts } from '../templates/texts.ts'
import type { EnqueueMail } from './enqueue-mail.ts'
import type { MailContent } from './mail.ts'

interface Deps {
  enqueueMail: EnqueueMail
  site: Site
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

/** Enqueues a mail to the owner of an account, once for each request. */
export const makeEnqueueAccountMail =
  ({ enqueueMail, site }: Deps) =>
  async (requestId: string, request: Request): Promise<void> => {
    const { kind, userId, email, expiresAt } = request
    await enqueueMail({
      cause: `${kind}/${requestId}`,
      kind,
      to: email,
      userId,
      content: render(request, site),
      ...(expiresAt && { expiresAt: new Date(expiresAt) }),
    })
  }
export type EnqueueAccountMail = ReturnType<typeof makeEnqueueAccountMail>
