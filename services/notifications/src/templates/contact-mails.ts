import type { MailContent } from '../domain/mail.ts'
import { renderLetter, type Site } from './layout.ts'

interface ContactText {
  subject: string
  message: string
}

/** A message of an organiser, for the admins. */
export const renderContactMessage = (
  { subject, message, userEmail }: ContactText & { userEmail: string },
  site: Site,
): MailContent =>
  renderLetter(
    {
      subject: `Message from ${userEmail}: ${subject}`,
      heading: subject,
      paragraphs: [`${userEmail} has written to the admins of ${site.brand}:`],
      quote: message,
      action: { label: 'Answer', url: new URL('/contacts', site.shellUrl).href },
      notes: ['A reply to this mail does not reach the sender. Please answer on the page.'],
    },
    site,
  )

/** The reply of an admin, for the organiser who has written. */
export const renderContactReply = ({ subject, message }: ContactText, site: Site): MailContent =>
  renderLetter(
    {
      subject: `Re: ${subject}`,
      heading: `Re: ${subject}`,
      paragraphs: [`The admins of ${site.brand} have answered your message:`],
      quote: message,
      action: { label: 'Write again', url: new URL('/contact-admin', site.shellUrl).href },
      notes: ['A reply to this mail does not reach the admins. Please write on the page.'],
    },
    site,
  )
