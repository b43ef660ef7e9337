import { useId, useState, type ReactNode } from 'react'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import type { Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { EditInPlace } from '@confetti/ui/edit-in-place'
import { SelectField } from '@confetti/ui/select-field'
import styles from './grid-toolbar.module.css'
import { countByCredit, isFiltered, noFilter, type GridView } from './grid-view.ts'
import { getText, useText, type Text, type TextId } from './texts.ts'

type Option<T extends string | undefined, Label = string> = readonly [value: T, label: Label]
type FixedOption<T extends string | undefined> = Option<T, TextId>

const orders: readonly FixedOption<GridView['order']>[] = [
  ['uploaded', 'album.grid.order.uploaded'],
  ['taken', 'album.grid.order.taken'],
]
const types: readonly FixedOption<GridView['type']>[] = [
  [undefined, 'album.grid.type.all'],
  ['photo', 'album.grid.type.photos'],
  ['video', 'album.grid.type.videos'],
]
const statuses: readonly FixedOption<GridView['status']>[] = [
  [undefined, 'album.grid.status.any'],
  ['processing', 'album.file.processing'],
  ['ready', 'album.grid.status.ready'],
  ['failed', 'album.grid.status.failed'],
]
const visibilities: readonly FixedOption<GridView['visibility']>[] = [
  [undefined, 'album.grid.visibility.any'],
  ['visible', 'album.visibility.visible'],
  ['pending', 'album.visibility.pending'],
  ['hidden', 'album.visibility.hidden'],
]

const translate = <T extends string | undefined>(t: Text, options: readonly FixedOption<T>[]): Option<T>[] =>
  options.map(([value, id]) => [value, t(id)])

const creditOptions = (
  t: Text,
  uploads: readonly Upload[],
  chosen: string | undefined,
): Option<string | undefined>[] => {
  const counts = countByCredit(uploads)
  const isMissing = chosen !== undefined && !counts.some(([credit]) => credit === chosen)
  return [
    [undefined, t('album.grid.guest.all')],
    ...(isMissing ? ([[chosen, chosen]] as const) : []),
    ...counts.map(([credit, count]): Option<string> => [
      credit,
      t('album.grid.guest.count', { guest: credit, count }),
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
  view: GridView
  onChange: (view: GridView) => void
  /** Gives all uploads of the chosen guest another name. Adds a button that does. */
  onRename?: ((from: string, to: string) => Promise<void>) | undefined
  /** What stands before the button of the filter. */
  download: ReactNode
  /** What stands after it, beside the cards for the keyboard. */
  children: ReactNode
}

/** Actions, and the order and the filter of a photo grid, with how many uploads it shows. */
export const GridToolbar = ({ uploads, shownCount, view, onChange, onRename, download, children }: Props) => {
  const t = useText()
  const choicesId = useId()
  const [isExpanded, setIsExpanded] = useState(false)
  return (
    <div className={styles.toolbar}>
      {download}
      <Button
        variant="outline"
        size="small"
        icon={<SlidersHorizontal size={18} aria-hidden />}
        aria-expanded={isExpanded}
        aria-controls={choicesId}
        title={t('album.grid.filter')}
        onClick={() => setIsExpanded(!isExpanded)}
      >
        <span className={styles.label}>{t('album.grid.filter')}</span>
      </Button>
      {children}
      {isFiltered(view) && (
        <Button variant="outline" size="small" onClick={() => onChange({ ...view, ...noFilter })}>
          {t('album.grid.reset')}
        </Button>
      )}
      <p role="status" className={styles.count}>
        {isFiltered(view) && t('album.grid.shown', { shown: shownCount, total: uploads.length })}
      </p>
      <div
        id={choicesId}
        role="group"
        aria-label={t('album.grid.filter')}
        hidden={!isExpanded}
        className={styles.choices}
      >
        <Choice
          label={t('album.grid.order')}
          options={translate(t, orders)}
          value={view.order}
          onChange={(order) => onChange({ ...view, order })}
        />
        <Choice
          label={t('album.grid.guest')}
          options={creditOptions(t, uploads, view.credit)}
          value={view.credit}
          onChange={(credit) => onChange({ ...view, credit })}
        />
        <Choice
          label={t('album.grid.type')}
          options={translate(t, types)}
          value={view.type}
          onChange={(type) => onChange({ ...view, type })}
        />
        <Choice
          label={t('album.grid.status')}
          options={translate(t, statuses)}
          value={view.status}
          onChange={(status) => onChange({ ...view, status })}
        />
        <Choice
          label={t('album.grid.visibility')}
          options={translate(t, visibilities)}
          value={view.visibility}
          onChange={(visibility) => onChange({ ...view, visibility })}
        />
      </div>
      {isExpanded && onRename && view.credit !== undefined && (
        <div className={styles.rename}>
          <EditInPlace
            key={view.credit}
            value={view.credit}
            editLabel={t('album.rename')}
            label={t('album.rename.field')}
            hint={t('album.rename.hint')}
            saveLabel={t('album.rename.save')}
            suggestions={countByCredit(uploads).map(([credit]) => credit)}
            findError={(name) => (name ? undefined : getText('album.rename.missing'))}
            onSave={async (name) => {
              await onRename(view.credit ?? '', name)
              onChange({ ...view, credit: name })
            }}
          />
        </div>
      )}
    </div>
  )
}
