import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field.tsx'
import styles from './select-field.module.css'

/** Apart from the other fields: guests' upload page, which has none, does not load its styles. */
export const SelectField = ({
  label,
  error,
  hint,
  children,
  ...rest
}: FieldProps & ComponentProps<'select'>) => (
  <Field label={label} error={error} hint={hint}>
    {({ className, ...controlProps }) => (
      <select className={`${className} ${styles.select}`} {...controlProps} {...rest}>
        {children}
      </select>
    )}
  </Field>
)
