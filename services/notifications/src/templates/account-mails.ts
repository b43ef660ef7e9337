import type { MailContent } from '../domain/mail.ts'
import { formatTime } from './format.ts'
import { renderLetter, type Site } from './layout.ts'

/** A link with a token, and when it stops working. */
export interface AccountLink {
  url: string
  expiresAt?: Date
}

const validity = ({ expiresAt }: AccountLink): string[] =>
  expiresAt ? [`The link works once, until ${formatTime(expiresAt)}.`] : ['The link works once.']

export const renderInvitation = (link: AccountLink, site: Site): MailContent =>
  renderLetter(
    {
      subject: `You are invited to ${site.brand}`,
      heading: `Welcome to ${site.brand}`,
      paragraphs: [
        `You have been invited to ${site.brand}, where guests of your event share their photos and videos with you.`,
        'Choose a password, and you are in.',
      ],
      action: { label: 'Choose a password', url: link.url },
      notes: [...validity(link), 'If you did not expect this mail, you can ignore it.'],
    },
    site,
  )

export const renderPasswordReset = (link: AccountLink, site: Site): MailContent =>
  renderLetter(
    {
      subject: 'Choose a new password',
      heading: 'Choose a new password',
      paragraphs: [`Somebody asked for a new password for your account at ${site.brand}. Was that you?`],
      action: { label: 'Choose a new password', url: link.url },
      notes: [
        ...validity(link),
        'If it was not you, you can ignore this mail. Your password stays as it is.',
      ],
    },
    site,
  )

export const renderPasswordChanged = (site: Site): MailContent =>
  renderLetter(
    {
      subject: 'Your password was changed',
      heading: 'Your password was changed',
      paragraphs: [`The password of your account at ${site.brand} was changed just now.`],
      notes: [
        'If it was not you, choose a new password right away: select “Forgot password?” where you sign in.',
      ],
    },
    site,
  )
