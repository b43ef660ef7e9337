import type { UploadCounts } from '../domain/digest.ts'
import type { MailContent } from '../domain/mail.ts'
import { formatCount, formatDay, formatEvent } from './format.ts'
import { renderLetter, type Site } from './layout.ts'

const eventPage = (eventId: string, { shellUrl }: Site): string =>
  new URL(`/myevents/${eventId}`, shellUrl).href

const summary = ({ photos, videos }: UploadCounts): string =>
  [
    ...(photos > 0 ? [formatCount(photos, 'new photo')] : []),
    ...(videos > 0 ? [formatCount(videos, photos > 0 ? 'video' : 'new video')] : []),
  ].join(' and ')

export const renderNewUploads = (
  {
    event,
    counts,
    unsubscribeUrl,
  }: { event: { _id: string; name?: string | undefined }; counts: UploadCounts; unsubscribeUrl: string },
  site: Site,
): MailContent =>
  renderLetter(
    {
      subject: `${summary(counts)} in ${formatEvent(event.name)}`,
      heading: summary(counts),
      paragraphs: [`Your guests have added ${summary(counts)} to ${formatEvent(event.name)}.`],
      action: { label: 'See what is new', url: eventPage(event._id, site) },
      unsubscribeUrl,
    },
    site,
  )

export const renderDeletionNotice = (
  {
    event,
    deleteAt,
    days,
  }: { event: { _id: string; name?: string | undefined }; deleteAt: Date; days: number },
  site: Site,
): MailContent => {
  const when = days <= 1 ? 'tomorrow' : `in ${days} days`
  return renderLetter(
    {
      subject: `Save your photos: ${formatEvent(event.name)} will be deleted ${when}`,
      heading: 'Save your photos',
      paragraphs: [
        `On ${formatDay(deleteAt)}, ${when}, ${formatEvent(event.name)} will be deleted with all its photos and videos.`,
        'Download what you want to keep before then.',
      ],
      action: { label: 'Download the photos', url: eventPage(event._id, site) },
      notes: ['Should it stay longer? Write to the admins on the page Contact Admin.'],
    },
    site,
  )
}
