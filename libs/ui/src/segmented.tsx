import { useId } from 'react'
import styles from './segmented.module.css'

interface Props<T extends string | number> {
  label: string
  options: readonly T[]
  value: T
  onChange: (value: T) => void
  disabled?: boolean
  /** What an option is called, if not as it is. */
  nameOf?: (option: T) => string
}

/** One of a few, side by side: a radio group. */
export const Segmented = <T extends string | number>({
  label,
  options,
  value,
  onChange,
  disabled = false,
  nameOf = String,
}: Props<T>) => {
  const name = useId()
  return (
    <fieldset className={styles.group} disabled={disabled}>
      <legend>{label}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option} className={styles.option}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            <span>{nameOf(option)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
