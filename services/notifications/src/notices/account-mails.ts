import type { MessageData } from '@confetti/contracts'
import type { Deps } from '../deps.ts'
import type { MailContent, MailKind } from '../mails/mail.ts'
import { renderLetter, type Site } from '../templates/layout.ts'
import { getTexts, type Texts } from '../templates/texts.ts'

/** A link with a token, and when it stops working. */
interface MailedLink {
  url: string
  expiresAt?: Date
}

const validity = ({ expiresAt }: MailedLink, { t, formatDay, formatTime }: Texts): string =>
  expiresAt
    ? t('mail.linkUntil', { date: formatDay(expiresAt, 'UTC'), time: formatTime(expiresAt, 'UTC') })
    : t('mail.linkOnce')

const renderInvitation = (link: MailedLink, site: Site, texts: Texts): MailContent => {
  const { t } = texts
  const { brand } = site
  return renderLetter(
    {
      subject: t('invitation.subject', { brand }),
      heading: t('invitation.heading', { brand }),
      paragraphs: [t('invitation.text', { brand }), t('invitation.next')],
      action: { label: t('invitation.action'), url: link.url },
      notes: [validity(link, texts), t('invitation.unexpected')],
    },
    site,
    texts,
  )
}

const renderPasswordReset = (link: MailedLink, site: Site, texts: Texts): MailContent => {
  const { t } = texts
  const subject = t('passwordReset.subject')
  return renderLetter(
    {
      subject,
      heading: subject,
      paragraphs: [t('passwordReset.text', { brand: site.brand })],
      action: { label: subject, url: link.url },
      notes: [validity(link, texts), t('passwordReset.unexpected')],
    },
    site,
    texts,
  )
}

const renderPasswordChanged = (site: Site, texts: Texts): MailContent => {
  const { t } = texts
  const subject = t('passwordChanged.subject')
  return renderLetter(
    {
      subject,
      heading: subject,
      paragraphs: [t('passwordChanged.text', { brand: site.brand })],
      notes: [t('passwordChanged.unexpected')],
    },
    site,
    texts,
  )
}

type Request = MessageData<'user.mail-requested.v1'>

const linkOf = ({ kind, link, expiresAt }: Request): MailedLink => {
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

/** Reports that another service expects a mail while mail is off. */
const reportUnexpected = ({ metrics, logger }: Pick<Deps, 'metrics' | 'logger'>, kind: MailKind): void => {
  metrics.attempted(kind, 'dead')
  logger.error({ kind }, 'mail requested while mail is off: set MAIL=off of auth and events, or SMTP_URL')
}

/** Enqueues a mail to the owner of an account, once for each request. */
export const createAccountMails =
  ({ enqueueMail, site, isMailOn, ...deps }: Deps) =>
  async (requestId: string, request: Request): Promise<void> => {
    const { kind, userId, email, expiresAt } = request
    if (!isMailOn) {
      reportUnexpected(deps, kind)
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

type OrganiserInvitation = MessageData<'organiser.invited.v1'>

const renderOrganiserInvitation = (
  { eventName: event, invitedBy: { email }, link: url, expiresAt }: OrganiserInvitation,
  site: Site,
  texts: Texts,
): MailContent => {
  const { t } = texts
  return renderLetter(
    {
      subject: t('organiserInvitation.subject', { event }),
      heading: t('organiserInvitation.heading'),
      paragraphs: [
        t('organiserInvitation.text', { email, event }),
        t('organiserInvitation.next', { brand: site.brand }),
      ],
      action: { label: t('organiserInvitation.action'), url },
      notes: [validity({ url, expiresAt: new Date(expiresAt) }, texts), t('invitation.unexpected')],
    },
    site,
    texts,
  )
}

/** Enqueues a mail to whom somebody has invited to organise an event, in their language or else in that of who invites. */
export const createOrganiserInvitations =
  ({ users, enqueueMail, site, isMailOn, ...deps }: Deps) =>
  async (invitation: OrganiserInvitation): Promise<void> => {
    const kind = 'organiser-invitation'
    if (!isMailOn) {
      reportUnexpected(deps, kind)
      return
    }
    const { invitationId, email, eventId, invitedBy, expiresAt } = invitation
    const reader = (await users.findByEmail(email)) ?? (await users.find(invitedBy._id))
    await enqueueMail({
      cause: `${kind}/${invitationId}`,
      kind,
      to: email,
      userId: invitedBy._id,
      eventId,
      content: renderOrganiserInvitation(invitation, site, getTexts(reader?.language)),
      expiresAt: new Date(expiresAt),
    })
  }
