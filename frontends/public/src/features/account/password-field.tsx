import { useState } from 'react'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { Field } from '@confetti/ui/field'
import hidden from '@confetti/ui/visually-hidden.module.css'
import styles from './password-field.module.css'

interface Props {
  label?: string
  name?: string
  autoComplete: 'current-password' | 'new-password'
  error: string | undefined
  onChange: () => void
}

/** A password field with a button that shows the password. */
export const PasswordField = ({
  label = 'Password',
  name = 'password',
  autoComplete,
  error,
  onChange,
}: Props) => {
  const [isVisible, setIsVisible] = useState(false)
  return (
    <Field label={label} error={error}>
      {({ className = '', ...controlProps }) => (
        <span className={styles.password}>
          <input
            {...controlProps}
            className={`${className} ${styles.input}`}
            name={name}
            type={isVisible ? 'text' : 'password'}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            required
            onChange={onChange}
          />
          <button type="button" className={styles.toggle} onClick={() => setIsVisible(!isVisible)}>
            {isVisible ? <EyeOff size={20} aria-hidden /> : <Eye size={20} aria-hidden />}
            <span
              className={hidden.visuallyHidden}
            >{`${isVisible ? 'Hide' : 'Show'} ${label.toLowerCase()}`}</span>
          </button>
        </span>
      )}
    </Field>
  )
}
