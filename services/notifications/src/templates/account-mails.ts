import type { MailContent } from '../mails/mail.ts'
import { renderLetter, type Site } from './layout.ts'
import type { Texts } from './texts.ts'

/** A link with a token, and when it stops working. */
export interface AccountLink {
  url: string
  expiresAt?: Date
}

const validity = ({ expiresAt }: AccountLink, { t, formatDay, formatTime }: Texts): string =>
  expiresAt
    ? t('mail.linkUntil', { date: formatDay(expiresAt, 'UTC'), time: formatTime(expiresAt, 'UTC') })
    : t('mail.linkOnce')

export const renderInvitation = (link: AccountLink, site: Site, texts: Texts): MailContent => {
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

export const renderPasswordReset = (link: AccountLink, site: Site, texts: Texts): MailContent => {
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

export const renderPasswordChanged = (site: Site, texts: Texts): MailContent => {
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
