import { useState } from 'react'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { countCodePoints, MAX_PASSWORD_CHARACTERS } from '@confetti/contracts'
import { Field } from '@confetti/ui/field'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { getText, useText } from '../../owner-texts.ts'
import styles from './password-field.module.css'

export const isPasswordTooLong = (password: string): boolean =>
  countCodePoints(password) > MAX_PASSWORD_CHARACTERS

export const getPasswordTooLong = (): string =>
  getText('account.password.tooLong', { max: String(MAX_PASSWORD_CHARACTERS) })

const labels = {
  any: { label: 'account.password', show: 'account.password.show', hide: 'account.password.hide' },
  current: {
    label: 'account.password.current',
    show: 'account.password.current.show',
    hide: 'account.password.current.hide',
  },
  new: {
    label: 'account.password.new',
    show: 'account.password.new.show',
    hide: 'account.password.new.hide',
  },
} as const

interface Props {
  kind?: keyof typeof labels
  name?: string
  autoComplete: 'current-password' | 'new-password'
  error: string | undefined
  onChange: () => void
}

/** A password field with a button that shows the password. */
export const PasswordField = ({ kind = 'any', name = 'password', autoComplete, error, onChange }: Props) => {
  const t = useText()
  const { label, show, hide } = labels[kind]
  const [isVisible, setIsVisible] = useState(false)
  return (
    <Field label={t(label)} error={error}>
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
            <span className={hidden.visuallyHidden}>{t(isVisible ? hide : show)}</span>
          </button>
        </span>
      )}
    </Field>
  )
}
