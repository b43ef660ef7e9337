import { isolateName } from '@confetti/contracts'
import type { MailContent } from '../mails/mail.ts'
import { renderLetter, type Site } from './layout.ts'
import type { Texts } from './texts.ts'

interface ContactText {
  subject: string
  message: string
}

/** A message of an organiser, for the admins. */
export const renderContactMessage = (
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
export const renderContactReply = (
  { subject, message }: ContactText,
  site: Site,
  texts: Texts,
): MailContent => {
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
