import { useId, useState, type ReactNode } from 'react'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import type { Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { SelectField } from '@confetti/ui/field'
import { formatCount } from './format-size.ts'
import styles from './gallery-toolbar.module.css'
import { countByGuest, isFiltered, noFilter, type GalleryView } from './gallery-view.ts'

type Option<T extends string | undefined> = readonly [value: T, label: string]

const orders: readonly Option<GalleryView['order']>[] = [
  ['uploaded', 'Upload time'],
  ['taken', 'Capture time'],
]
const types: readonly Option<GalleryView['type']>[] = [
  [undefined, 'All types'],
  ['photo', 'Photos'],
  ['video', 'Videos'],
]
const statuses: readonly Option<GalleryView['status']>[] = [
  [undefined, 'Any status'],
  ['processing', 'Processing'],
  ['ready', 'Ready'],
  ['failed', 'Failed'],
]

const visibilities: readonly Option<GalleryView['visibility']>[] = [
  [undefined, 'Any visibility'],
  ['visible', 'Visible'],
  ['pending', 'Waiting for approval'],
  ['hidden', 'Hidden'],
]

const guestOptions = (
  uploads: readonly Upload[],
  chosen: string | undefined,
): Option<string | undefined>[] => {
  const counts = countByGuest(uploads)
  const isMissing = chosen !== undefined && !counts.some(([guest]) => guest === chosen)
  return [
    [undefined, 'All guests'],
    ...(isMissing ? ([[chosen, chosen]] as const) : []),
    ...counts.map(([guest, count]): Option<string> => [guest, `${guest} (${formatCount(count)})`]),
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
        Order and filter
      </Button>
      <div
        id={choicesId}
        role="group"
        aria-label="Order and filter"
        className={`${styles.choices} ${isExpanded ? '' : styles.collapsed}`}
      >
        <Choice
          label="Order"
          options={orders}
          value={view.order}
          onChange={(order) => onChange({ ...view, order })}
        />
        <Choice
          label="Guest"
          options={guestOptions(uploads, view.guest)}
          value={view.guest}
          onChange={(guest) => onChange({ ...view, guest })}
        />
        <Choice
          label="Type"
          options={types}
          value={view.type}
          onChange={(type) => onChange({ ...view, type })}
        />
        <Choice
          label="Status"
          options={statuses}
          value={view.status}
          onChange={(status) => onChange({ ...view, status })}
        />
        <Choice
          label="Visibility"
          options={visibilities}
          value={view.visibility}
          onChange={(visibility) => onChange({ ...view, visibility })}
        />
      </div>
      <div className={styles.actions}>
        {children}
        {isFiltered(view) && (
          <Button variant="outline" size="small" onClick={() => onChange({ ...view, ...noFilter })}>
            Reset filters
          </Button>
        )}
        <p role="status" className={styles.count}>
          {isFiltered(view) && `Showing ${formatCount(shownCount)} of ${formatCount(uploads.length)}`}
        </p>
      </div>
    </div>
  )
}
