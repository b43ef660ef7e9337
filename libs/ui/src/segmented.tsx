import { useId } from 'react'
import styles from './segmented.module.css'

interface Props<T extends string | number> {
  label: string
  options: readonly T[]
  value: T
  onChange: (value: T) => void
  disabled?: boolean
  /** Returns the label of an option; default is the option itself. */
  getLabel?: (option: T) => string
}

/** A segmented control: a radio group with its options side by side. */
export const Segmented = <T extends string | number>({
  label,
  options,
  value,
  onChange,
  disabled = false,
  getLabel = String,
}: Props<T>) => {
  const name = useId()
  return (
    <fieldset className={styles.group} disabled={disabled}>
      <legend>{label}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option} className={styles.option}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            <span>{getLabel(option)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
