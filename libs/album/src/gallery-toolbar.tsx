import { useId, useState, type ReactNode } from 'react'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import type { Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { SelectField } from '@confetti/ui/field'
import styles from './gallery-toolbar.module.css'
import { countByGuest, isFiltered, noFilter, type GalleryView } from './gallery-view.ts'
import { useText, type Text, type TextId } from './texts.ts'

type Option<T extends string | undefined, Label = string> = readonly [value: T, label: Label]
type FixedOption<T extends string | undefined> = Option<T, TextId>

const orders: readonly FixedOption<GalleryView['order']>[] = [
  ['uploaded', 'album.gallery.order.uploaded'],
  ['taken', 'album.gallery.order.taken'],
]
const types: readonly FixedOption<GalleryView['type']>[] = [
  [undefined, 'album.gallery.type.all'],
  ['photo', 'album.gallery.type.photos'],
  ['video', 'album.gallery.type.videos'],
]
const statuses: readonly FixedOption<GalleryView['status']>[] = [
  [undefined, 'album.gallery.status.any'],
  ['processing', 'album.gallery.status.processing'],
  ['ready', 'album.gallery.status.ready'],
  ['failed', 'album.gallery.status.failed'],
]
const visibilities: readonly FixedOption<GalleryView['visibility']>[] = [
  [undefined, 'album.gallery.visibility.any'],
  ['visible', 'album.visibility.visible'],
  ['pending', 'album.visibility.pending'],
  ['hidden', 'album.visibility.hidden'],
]

const translate = <T extends string | undefined>(t: Text, options: readonly FixedOption<T>[]): Option<T>[] =>
  options.map(([value, id]) => [value, t(id)])

const guestOptions = (
  t: Text,
  uploads: readonly Upload[],
  chosen: string | undefined,
): Option<string | undefined>[] => {
  const counts = countByGuest(uploads)
  const isMissing = chosen !== undefined && !counts.some(([guest]) => guest === chosen)
  return [
    [undefined, t('album.gallery.guest.all')],
    ...(isMissing ? ([[chosen, chosen]] as const) : []),
    ...counts.map(([guest, count]): Option<string> => [
      guest,
      t('album.gallery.guest.count', { guest, count }),
    ]),
  ]
}

interface ChoiceProps<T extends string | undefined> {
  label: string
  options: readonly Option<T>[]
  value: T
  onChange: (value: T) => void
}

const Choice = <T extends string | undefined>({ label, options, value, onChange }: ChoiceProps<T>) => (
  <SelectField
    label={label}
    value={value ?? ''}
    onChange={({ target }) => {
      const option = options.find(([optionValue]) => (optionValue ?? '') === target.value)
      if (option) onChange(option[0])
    }}
  >
    {options.map(([optionValue, optionLabel]) => (
      <option key={optionValue ?? ''} value={optionValue ?? ''}>
        {optionLabel}
      </option>
    ))}
  </SelectField>
)

interface Props {
  /** All uploads. */
  uploads: readonly Upload[]
  shownCount: number
  view: GalleryView
  onChange: (view: GalleryView) => void
  /** Further actions. */
  children: ReactNode
}

/** The order and the filter of a gallery, how many uploads it shows, and actions. */
export const GalleryToolbar = ({ uploads, shownCount, view, onChange, children }: Props) => {
  const t = useText()
  const choicesId = useId()
  // On phones the choices would fill half the screen.
  const [isExpanded, setIsExpanded] = useState(false)
  return (
    <div className={styles.toolbar}>
      <Button
        variant="outline"
        size="small"
        icon={<SlidersHorizontal size={18} aria-hidden />}
        className={styles.toggle}
        aria-expanded={isExpanded}
        aria-controls={choicesId}
        onClick={() => setIsExpanded(!isExpanded)}
      >
        {t('album.gallery.filter')}
      </Button>
      <div
        id={choicesId}
        role="group"
        aria-label={t('album.gallery.filter')}
        className={`${styles.choices} ${isExpanded ? '' : styles.collapsed}`}
      >
        <Choice
          label={t('album.gallery.order')}
          options={translate(t, orders)}
          value={view.order}
          onChange={(order) => onChange({ ...view, order })}
        />
        <Choice
          label={t('album.gallery.guest')}
          options={guestOptions(t, uploads, view.guest)}
          value={view.guest}
          onChange={(guest) => onChange({ ...view, guest })}
        />
        <Choice
          label={t('album.gallery.type')}
          options={translate(t, types)}
          value={view.type}
          onChange={(type) => onChange({ ...view, type })}
        />
        <Choice
          label={t('album.gallery.status')}
          options={translate(t, statuses)}
          value={view.status}
          onChange={(status) => onChange({ ...view, status })}
        />
        <Choice
          label={t('album.gallery.visibility')}
          options={translate(t, visibilities)}
          value={view.visibility}
          onChange={(visibility) => onChange({ ...view, visibility })}
        />
      </div>
      <div className={styles.actions}>
        {children}
        {isFiltered(view) && (
          <Button variant="outline" size="small" onClick={() => onChange({ ...view, ...noFilter })}>
            {t('album.gallery.reset')}
          </Button>
        )}
        <p role="status" className={styles.count}>
          {isFiltered(view) && t('album.gallery.shown', { shown: shownCount, total: uploads.length })}
        </p>
      </div>
    </div>
  )
}
