import { useMemo, type ComponentProps } from 'react'
import { SelectField } from '@confetti/ui/select-field'
import { useText } from '../texts.ts'
import { listTimeZones } from './wall-clock.ts'

interface Props extends Omit<ComponentProps<typeof SelectField>, 'label' | 'hint' | 'value' | 'onChange'> {
  value: string
  /** A zone that is offered even if the browser does not know it. */
  otherZone?: string
  onChange: (timeZone: string) => void
}

/** Selects the time zone of an event. `children` are options before the zones. */
export const TimeZoneField = ({ value, otherZone, onChange, children, ...field }: Props) => {
  const t = useText()
  // The form is rendered with each key that is pressed in it, and these are more than 400.
  const options = useMemo(
    () =>
      listTimeZones(otherZone, value || undefined).map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      )),
    [otherZone, value],
  )
  return (
    <SelectField
      label={t('album.settings.zone')}
      hint={t('album.settings.zone.hint')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      {...field}
    >
      {children}
      {options}
    </SelectField>
  )
}
