import { getDateLocale, getDirection, matchLocale, DEFAULT_LOCALE, type Locale } from '@confetti/contracts'

/** What guests see of an event, as far as a preview shows it. */
export interface PreviewedEvent {
  name: string
  language?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  welcome?: string | undefined
  description?: string | undefined
}

/** What the page says of an event whose guests read neither a welcome nor a description. */
const invitations: Readonly<Record<Locale, string>> = {
  en: 'Add your photos and videos to this event.',
  de: 'Teile deine Fotos und Videos von diesem Event.',
  fr: 'Partagez vos photos et vidéos de cet événement.',
  es: 'Comparte tus fotos y vídeos de este evento.',
  it: 'Condividi le tue foto e i tuoi video di questo evento.',
  'pt-BR': 'Compartilhe suas fotos e vídeos deste evento.',
  nl: 'Deel je foto’s en video’s van dit evenement.',
  pl: 'Podziel się zdjęciami i filmami z tego wydarzenia.',
  uk: 'Поділіться своїми фото й відео з цієї події.',
  tr: 'Bu etkinlikteki fotoğraf ve videolarını paylaş.',
  ar: 'شارك صورك وفيديوهاتك من هذه المناسبة.',
  he: 'אפשר לשתף כאן תמונות וסרטונים מהאירוע.',
  hi: 'इस इवेंट की अपनी फ़ोटो और वीडियो शेयर करें।',
  ja: 'このイベントの写真と動画を共有しましょう。',
  'zh-Hans': '分享你在这个活动中拍的照片和视频。',
}

// Chats show less; what is longer only makes the page larger.
const MAX_TITLE_CHARACTERS = 100
const MAX_DESCRIPTION_CHARACTERS = 240

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')

/** The text in one line, of at most `maxCharacters` as people count them. */
const shorten = (text: string, maxCharacters: number): string => {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment)
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join('')}…` : line
}

const formatDays = (locale: Locale, startDate: string, endDate: string): string =>
  new Intl.DateTimeFormat(getDateLocale(locale), { dateStyle: 'long', timeZone: 'UTC' }).formatRange(
    new Date(startDate),
    new Date(endDate),
  )

/**
 * The page that crawlers of chats and social networks read, in the language of the event: what guests see of it, with the
 * absolute addresses of its upload page and of its picture.
 */
export const createPreviewPage = (
  event: PreviewedEvent,
  { pageUrl, pictureUrl }: { pageUrl: string; pictureUrl: string },
): string => {
  const locale = matchLocale(event.language ? [event.language] : []) ?? DEFAULT_LOCALE
  const text = [event.welcome, event.description].find((each) => each?.trim()) ?? invitations[locale]
  const days = event.startDate && event.endDate && formatDays(locale, event.startDate, event.endDate)
  const title = escapeHtml(shorten(event.name, MAX_TITLE_CHARACTERS))
  const description = escapeHtml(shorten(days ? `${days} · ${text}` : text, MAX_DESCRIPTION_CHARACTERS))
  const page = escapeHtml(pageUrl)
  const picture = escapeHtml(pictureUrl)
  return `<!doctype html>
<html lang="${escapeHtml(event.language ?? locale)}" dir="${getDirection(locale)}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="robots" content="noindex">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${page}">
<meta property="og:image" content="${picture}">
<meta property="og:image:type" content="image/jpeg">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
</head>
<body>
<h1>${title}</h1>
<p>${description}</p>
<p><a href="${page}">${page}</a></p>
</body>
</html>
`
}
