import { useId, useState } from 'react'
import ImageIcon from 'lucide-react/icons/image'
import type { Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import type { ListPage } from '../list-pages.ts'
import { useText } from '../texts.ts'
import { CoverPicker } from './cover-picker.tsx'
import styles from './cover-field.module.css'

interface Props {
  eventId: string
  /** The id of the chosen photo; empty if there is none. */
  value: string
  /** The picture of the chosen photo, if it is known. */
  url: string | undefined
  error: string | undefined
  listPage: ListPage
  onChange: (upload: Upload | undefined) => void
}

/** Chooses one of the event's photos as the picture above the guest page. */
export const CoverField = ({ eventId, value, url, error, listPage, onChange }: Props) => {
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div className={styles.field} role="group" aria-labelledby={id}>
      <p id={id} className={styles.label}>
        {t('album.settings.cover')}
      </p>
      <div className={styles.row}>
        <span className={styles.frame}>
          {value && url ? (
            <img src={url} alt={t('album.settings.cover.chosen')} />
          ) : (
            <ImageIcon size={28} aria-hidden />
          )}
        </span>
        <div className={styles.actions}>
          <Button
            variant="secondary"
            size="small"
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-note`}
            onClick={() => setIsOpen(true)}
          >
            {value ? t('album.settings.cover.change') : t('album.settings.cover.choose')}
          </Button>
          <Button
            variant="outline"
            size="small"
            aria-disabled={!value}
            onClick={() => {
              if (value) onChange(undefined)
            }}
          >
            {t('album.settings.cover.remove')}
          </Button>
        </div>
      </div>
      <p id={`${id}-note`} className={error ? styles.error : styles.hint}>
        {error ?? t('album.settings.cover.hint')}
      </p>
      {isOpen && (
        <CoverPicker
          eventId={eventId}
          value={value}
          listPage={listPage}
          onSelect={(upload) => {
            onChange(upload)
            setIsOpen(false)
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}
