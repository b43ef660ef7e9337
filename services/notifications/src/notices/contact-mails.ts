import { isolateName, type MessageData } from '@confetti/contracts'
import { throwIfAny, tryEach } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { MailContent } from '../mails/mail.ts'
import { renderLetter, type Site } from '../templates/layout.ts'
import { getTexts, type Texts } from '../templates/texts.ts'

interface ContactText {
  subject: string
  message: string
}

/** A message of an organiser, for the admins. */
const renderContactMessage = (
  { subject, message, userEmail: email }: ContactText & { userEmail: string },
  site: Site,
  texts: Texts,
): MailContent => {
  const { t, locale } = texts
  return renderLetter(
    {
      subject: t('contactMessage.subject', { email, subject }),
      heading: isolateName(locale, subject),
      paragraphs: [t('contactMessage.text', { email, brand: site.brand })],
      quote: message,
      action: { label: t('contactMessage.action'), url: new URL('/contacts', site.shellUrl).href },
      notes: [t('contactMessage.noReply')],
    },
    site,
    texts,
  )
}

/** The reply of an admin, for the organiser who has written. */
const renderContactReply = ({ subject, message }: ContactText, site: Site, texts: Texts): MailContent => {
  const { t, locale } = texts
  // Mail programs look for this prefix in all languages.
  const replySubject = `Re: ${isolateName(locale, subject)}`
  return renderLetter(
    {
      subject: replySubject,
      heading: replySubject,
      paragraphs: [t('contactReply.text', { brand: site.brand })],
      quote: message,
      action: { label: t('contactReply.action'), url: new URL('/contact-admin', site.shellUrl).href },
      notes: [t('contactReply.noReply')],
    },
    site,
    texts,
  )
}

const MAX_ADMINS = 100

/** Mails about what organisers and admins write to each other. */
export const createContactMails = ({ users, enqueueMail, site, logger }: Deps) => ({
  /** Sends a message of an organiser to every admin who may sign in. One who cannot be mailed keeps it from no other. */
  notifyAdmins: async (contact: MessageData<'contact.received.v1'>): Promise<void> => {
    const admins = await users.listActiveAdmins(MAX_ADMINS)
    if (admins.length === 0) logger.warn({ contactId: contact._id }, 'no admin is known, message not mailed')
    const errors = await tryEach(admins, (admin) =>
      enqueueMail({
        cause: `contact-message/${contact._id}/${admin._id}`,
        kind: 'contact-message',
        to: admin.email,
        userId: admin._id,
        about: contact.userEmail,
        aboutUserId: contact.userId,
        content: renderContactMessage(contact, site, getTexts(admin.language)),
      }),
    )
    throwIfAny(errors, 'some admins were not mailed')
  },

  /** Sends an admin's reply to the organiser who has written. */
  notifySender: async (reply: MessageData<'contact.replied.v1'>): Promise<void> => {
    const sender = await users.find(reply.userId)
    await enqueueMail({
      cause: `contact-reply/${reply._id}`,
      kind: 'contact-reply',
      to: reply.userEmail,
      userId: reply.userId,
      content: renderContactReply(reply, site, getTexts(sender?.language)),
    })
  },
})
