import type { MessageData } from '@confetti/contracts'
import type { Deps } from '../deps.ts'
import type { MailContent } from '../mails/mail.ts'
import { renderLetter, type Site } from '../templates/layout.ts'
import { getTexts, type Texts } from '../templates/texts.ts'
import { reportUnexpected, validity } from './account-mails.ts'

type Invitation = MessageData<'organiser.invited.v1'>

const render = (
  { eventName: event, invitedBy: { email }, link: url, expiresAt }: Invitation,
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
  async (invitation: Invitation): Promise<void> => {
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
      content: render(invitation, site, getTexts(reader?.language)),
      expiresAt: new Date(expiresAt),
    })
  }
