import { useState, type SubmitEvent } from 'react'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { countCodePoints, MAX_EMAIL_CHARACTERS, MAX_PASSWORD_CHARACTERS } from '@confetti/contracts'
import { Field, TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notifyError } from '@confetti/ui/notify'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { getText, useText } from '../../owner-texts.ts'
import styles from './account-form.module.css'

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

interface EmailProps {
  error: string | undefined
  onChange: () => void
}

export const EmailField = ({ error, onChange }: EmailProps) => {
  const t = useText()
  return (
    <TextField
      label={t('account.email')}
      name="email"
      type="email"
      autoComplete="email"
      inputMode="email"
      maxLength={MAX_EMAIL_CHARACTERS}
      required
      error={error}
      onChange={onChange}
    />
  )
}

const isTooLong = (password = ''): boolean => countCodePoints(password) > MAX_PASSWORD_CHARACTERS
const getTooLongText = (): string =>
  getText('account.password.tooLong', { max: String(MAX_PASSWORD_CHARACTERS) })

/** The state of a form about an account. `send` gets the values of its fields, unless a password is too long. */
export const useAccountForm = <Name extends string>(
  send: (values: Record<Name, string>) => Promise<void>,
) => {
  const { form, isBusy: busy, errors, show, clear, send: sendForm } = useForm()

  const submit = (values: Record<string, string>): void => {
    const tooLong = ['password', 'newPassword'].find((name) => isTooLong(values[name]))
    if (tooLong !== undefined) {
      notifyError(getTooLongText())
      show(() => ({ [tooLong]: getTooLongText() }))
      return
    }
    void sendForm(async () => {
      await send(values)
      form.current?.reset()
      clear()
    })
  }

  return {
    form,
    busy,
    errors,
    clear,
    handleSubmit: (event: SubmitEvent<HTMLFormElement>): void => {
      event.preventDefault()
      if (!busy) submit(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>)
    },
  }
}
