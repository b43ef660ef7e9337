import { useLocale } from '@confetti/i18n'
import { useText } from '../../texts.ts'
import { formatInstant } from '../gallery/format-instant.ts'
import { isGalleryOpen, type GallerySettings } from './use-event.ts'

interface Props {
  event: GallerySettings
  className?: string | undefined
}

/** Says when guests see what they send: once the gallery opens, and the organisers have approved it. */
export const GalleryNotes = ({ event, className }: Props) => {
  const t = useText()
  const locale = useLocale()
  const { gallery, revealAt, timeZone, moderation } = event
  return (
    <>
      {gallery === 'on' && revealAt !== undefined && !isGalleryOpen(event) && (
        <p className={className}>
          {t('event.galleryOpens', { date: formatInstant(revealAt, timeZone, locale) })}
        </p>
      )}
      {moderation === 'approve' && <p className={className}>{t('event.moderated')}</p>}
    </>
  )
}
