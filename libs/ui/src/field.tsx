import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './field.module.css'

export interface FieldProps {
  label: string
  /** An error message; shown below the control and read by screen readers. */
  error?: string | undefined
  hint?: string | undefined
}

interface ControlProps {
  id: string
  className: string | undefined
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** A label, the control that `children` renders, and the hint or error below it. */
export const Field = ({
  label,
  error,
  hint,
  children,
}: FieldProps & { children: (controlProps: ControlProps) => ReactNode }) => {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: styles.control,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': note ? `${id}-note` : undefined,
      })}
      {note && (
        <p id={`${id}-note`} className={error ? styles.error : styles.hint}>
          {note}
        </p>
      )}
    </div>
  )
}

export const TextField = ({ label, error, hint, ...rest }: FieldProps & ComponentProps<'input'>) => (
  <Field label={label} error={error} hint={hint}>
    {(controlProps) => <input {...controlProps} {...rest} />}
  </Field>
)

export const TextArea = ({ label, error, hint, ...rest }: FieldProps & ComponentProps<'textarea'>) => (
  <Field label={label} error={error} hint={hint}>
    {(controlProps) => <textarea {...controlProps} {...rest} />}
  </Field>
)
