import { useState } from 'react'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { Field } from '@confetti/ui/field'
import hidden from '@confetti/ui/hidden.module.css'
import styles from './password-field.module.css'

/** A password, masked until one asks to see it. */
export const PasswordField = ({ kind }: { kind: 'current-password' | 'new-password' }) => {
  const [shown, setShown] = useState(false)
  return (
    <Field label="Password">
      {({ className = '', ...wiring }) => (
        <span className={styles.password}>
          <input
            {...wiring}
            className={`${className} ${styles.input}`}
            name="password"
            type={shown ? 'text' : 'password'}
            autoComplete={kind}
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <button type="button" className={styles.show} onClick={() => setShown(!shown)}>
            {shown ? <EyeOff size={20} aria-hidden /> : <Eye size={20} aria-hidden />}
            <span className={hidden.heard}>{shown ? 'Hide the password' : 'Show the password'}</span>
          </button>
        </span>
      )}
    </Field>
  )
}
