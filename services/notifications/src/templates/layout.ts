import type { MailContent } from '../mails/mail.ts'
import type { Texts } from './texts.ts'

/** The colours of the frontends' design, as far as mails and their pages need them. */
interface Colours {
  page: string
  card: string
  text: string
  small: string
  line: string
  button: string
  onButton: string
}

export const light: Colours = {
  page: '#fcf8f3',
  card: '#ffffff',
  text: '#2b1b35',
  small: '#6d5f75',
  line: '#e9dfe6',
  button: '#6d2a6b',
  onButton: '#ffffff',
}

export const dark: Colours = {
  page: '#18111d',
  card: '#221829',
  text: '#f5edf4',
  small: '#b9a9bf',
  line: '#3a2c43',
  button: '#e0a3dd',
  onButton: '#2a1230',
}

/** What a mail says, from top to bottom. All of it is plain text, in which names may be isolated by U+2068 and U+2069. */
export interface Letter {
  subject: string
  heading: string
  paragraphs: readonly string[]
  /** The words of another person. */
  quote?: string
  /** What the reader can do. */
  action?: { label: string; url: string }
  /** Small print below. */
  notes?: readonly string[]
  unsubscribeUrl?: string
}

/** The site that sends mails. */
export interface Site {
  /** Its name. */
  brand: string
  /** The address of its pages. */
  shellUrl: string
}

const MAX_SUBJECT_CHARACTERS = 150

/** One line: a line break would begin another header. */
export const toSubject = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length > MAX_SUBJECT_CHARACTERS
    ? `${characters.slice(0, MAX_SUBJECT_CHARACTERS - 1).join('')}…`
    : line
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (each) => entities[each] ?? each)

const normaliseLineBreaks = (text: string): string => text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')

const withLineBreaks = (text: string): string =>
  escapeHtml(normaliseLineBreaks(text)).replaceAll('\n', '<br>')

/** Text of our own as HTML, with its isolated names. */
const withNames = (text: string): string =>
  withLineBreaks(text).replaceAll(/\u2068([^\u2068\u2069]*)\u2069/g, '<bdi>$1</bdi>')

const toText = (
  { heading, paragraphs, quote, action, notes = [], unsubscribeUrl }: Letter,
  { brand, shellUrl }: Site,
  { t }: Texts,
): string =>
  [
    heading,
    ...paragraphs,
    ...(quote === undefined ? [] : [normaliseLineBreaks(quote).replaceAll(/^/gm, '> ')]),
    ...(action ? [`${t('mail.action', { action: action.label })}\n${action.url}`] : []),
    ...notes,
    `-- \n${brand}, ${shellUrl}`,
    ...(unsubscribeUrl
      ? [`${t('mail.reason')} ${t('mail.action', { action: t('mail.unsubscribe') })}\n${unsubscribeUrl}`]
      : []),
  ].join('\n\n') + '\n'

// Colours that have contrast on both: clients that know `color-scheme` use the dark ones in the dark, and clients that
// invert colours themselves start from the light ones.
const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: ${dark.page} !important; color: ${dark.text} !important; }
  .card { background: ${dark.card} !important; }
  .small, .small a { color: ${dark.small} !important; }
  .quote { border-color: ${dark.line} !important; }
  .action { background: ${dark.button} !important; color: ${dark.onButton} !important; }
}`

// Mail programs drop `html` and `body`, so the element inside has language and direction, too.
const toHtml = (
  { subject, heading, paragraphs, quote, action, notes = [], unsubscribeUrl }: Letter,
  { brand, shellUrl }: Site,
  { t, locale, direction }: Texts,
): string => `<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(toSubject(subject))}</title>
<style>${style}
</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:${light.page};color:${light.text};font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div lang="${locale}" dir="${direction}" style="text-align:${direction === 'rtl' ? 'right' : 'left'}">
<div class="card" style="max-width:560px;margin:0 auto;padding:28px 24px;border-radius:16px;background:${light.card}">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere">${withNames(heading)}</h1>
${paragraphs.map((each) => `<p style="margin:0 0 16px;overflow-wrap:anywhere">${withNames(each)}</p>`).join('\n')}
${
  quote === undefined
    ? ''
    : `<blockquote dir="auto" class="quote" style="margin:0 0 16px;padding:0;padding-inline-start:14px;border:0 solid ${light.line};border-inline-start-width:3px;text-align:start;overflow-wrap:anywhere">${withLineBreaks(quote)}</blockquote>`
}
${
  action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" class="action" style="display:inline-block;padding:13px 22px;border-radius:12px;background:${light.button};color:${light.onButton};font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p class="small" style="margin:0 0 16px;color:${light.small};font-size:14px;overflow-wrap:anywhere">${escapeHtml(t('mail.openAddress'))} <a href="${escapeHtml(action.url)}" dir="ltr" style="color:${light.small}">${escapeHtml(action.url)}</a></p>`
    : ''
}
${notes.map((each) => `<p class="small" style="margin:0 0 12px;color:${light.small};font-size:14px">${withNames(each)}</p>`).join('\n')}
</div>
<p class="small" style="max-width:560px;margin:16px auto 0;padding:0 24px;color:${light.small};font-size:13px"><a href="${escapeHtml(shellUrl)}" style="color:${light.small}">${escapeHtml(brand)}</a>${
  unsubscribeUrl
    ? ` · ${escapeHtml(t('mail.reason'))} <a href="${escapeHtml(unsubscribeUrl)}" style="color:${light.small}">${escapeHtml(t('mail.unsubscribe'))}</a>`
    : ''
}</p>
</div>
</body>
</html>
`

/** Renders a letter as plain text and HTML. Every value is escaped. */
export const renderLetter = (letter: Letter, site: Site, texts: Texts): MailContent => ({
  subject: toSubject(letter.subject),
  text: toText(letter, site, texts),
  html: toHtml(letter, site, texts),
  ...(letter.unsubscribeUrl && { unsubscribeUrl: letter.unsubscribeUrl }),
})
