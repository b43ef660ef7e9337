import type { UploadCounts } from '../digests/digests.ts'
import type { MailContent } from '../mails/mail.ts'
import { renderLetter, type Site } from './layout.ts'
import type { Texts } from './texts.ts'

interface NamedEvent {
  _id: string
  name?: string | undefined
}

const eventPage = (eventId: string, { shellUrl }: Site): string =>
  new URL(`/myevents/${eventId}`, shellUrl).href

/** The values of texts about an event, whose name may not be known. */
const toValues = ({ name = '' }: NamedEvent) => ({ event: name, isNamed: name !== '' })

const newUploadTexts = {
  photos: {
    subject: 'newUploads.photos.subject',
    heading: 'newUploads.photos.heading',
    text: 'newUploads.photos.text',
  },
  videos: {
    subject: 'newUploads.videos.subject',
    heading: 'newUploads.videos.heading',
    text: 'newUploads.videos.text',
  },
  both: {
    subject: 'newUploads.both.subject',
    heading: 'newUploads.both.heading',
    text: 'newUploads.both.text',
  },
} as const

const kindOf = ({ photos, videos }: UploadCounts): keyof typeof newUploadTexts => {
  if (videos === 0) return 'photos'
  return photos === 0 ? 'videos' : 'both'
}

export const renderNewUploads = (
  { event, counts, unsubscribeUrl }: { event: NamedEvent; counts: UploadCounts; unsubscribeUrl: string },
  site: Site,
  texts: Texts,
): MailContent => {
  const { t } = texts
  const ids = newUploadTexts[kindOf(counts)]
  const values = { ...counts, ...toValues(event) }
  return renderLetter(
    {
      subject: t(ids.subject, values),
      heading: t(ids.heading, values),
      paragraphs: [t(ids.text, values)],
      action: { label: t('newUploads.action'), url: eventPage(event._id, site) },
      unsubscribeUrl,
    },
    site,
    texts,
  )
}

export const renderDeletionNotice = (
  {
    event,
    deleteAt,
    days,
  }: { event: NamedEvent & { timeZone?: string | undefined }; deleteAt: Date; days: number },
  site: Site,
  texts: Texts,
): MailContent => {
  const { t, formatDay } = texts
  const values = { date: formatDay(deleteAt, event.timeZone ?? 'UTC'), days, ...toValues(event) }
  return renderLetter(
    {
      subject: t('deletionNotice.subject', values),
      heading: t('deletionNotice.heading'),
      paragraphs: [t('deletionNotice.text', values), t('deletionNotice.next')],
      action: { label: t('deletionNotice.action'), url: eventPage(event._id, site) },
      notes: [t('deletionNotice.longer')],
    },
    site,
    texts,
  )
}
