import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import styles from './field.module.css'

interface Labelled {
  label: string
  /** What is wrong with it; shown below and read out. */
  error?: string | undefined
  hint?: string | undefined
}

interface Wiring {
  id: string
  className: string | undefined
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** A label, the control that `children` makes of the wiring, and the hint or error below it. */
export const Field = ({
  label,
  error,
  hint,
  children,
}: Labelled & { children: (wiring: Wiring) => ReactNode }) => {
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

export const TextField = ({
  label,
  error,
  hint,
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement>) => (
  <Field label={label} error={error} hint={hint}>
    {(wiring) => <input {...wiring} {...rest} />}
  </Field>
)

export const TextArea = ({
  label,
  error,
  hint,
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <Field label={label} error={error} hint={hint}>
    {(wiring) => <textarea {...wiring} {...rest} />}
  </Field>
)

export const SelectField = ({
  label,
  error,
  hint,
  children,
  ...rest
}: Labelled & SelectHTMLAttributes<HTMLSelectElement>) => (
  <Field label={label} error={error} hint={hint}>
    {(wiring) => (
      <select {...wiring} {...rest}>
        {children}
      </select>
    )}
  </Field>
)
