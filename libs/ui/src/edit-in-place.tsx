import { useEffect, useId, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import Pencil from 'lucide-react/icons/pencil'
import { Button } from './button.tsx'
import styles from './edit-in-place.module.css'
import { useForm } from './field-errors.tsx'
import { TextField } from './field.tsx'
import { useText } from './texts.ts'

interface Props {
  value: string
  /** Stands before the button that opens the form. */
  children?: ReactNode
  editLabel: string
  label: string
  hint?: string
  /** Values that the field suggests. */
  suggestions?: readonly string[]
  saveLabel: string
  disabled?: boolean
  /** What is wrong with a value, in the language of the page; undefined if nothing. */
  findError: (value: string) => string | undefined
  /** If it fails, the form says why and stays open. */
  onSave: (value: string) => Promise<void>
}

/** A button that opens a form in its place, in which a text is changed. */
export const EditInPlace = ({
  value,
  children,
  editLabel,
  label,
  hint,
  suggestions,
  saveLabel,
  disabled = false,
  findError,
  onSave,
}: Props) => {
  const t = useText()
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { form, isBusy, errors, show, send, clear } = useForm()
  const openButton = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    const field = form.current?.querySelector('input')
    if (isOpen) {
      field?.focus()
      field?.select()
    } else if (wasOpen.current) openButton.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, form])

  const save = async (): Promise<void> => {
    const changed = typed.trim()
    if (findError(changed) !== undefined) {
      show(() => ({ value: findError(changed) ?? '' }))
      return
    }
    await send(async () => {
      await onSave(changed)
      setIsOpen(false)
    })
  }

  if (!isOpen)
    return (
      <div className={styles.closed}>
        {children}
        <Button
          ref={openButton}
          variant="outline"
          size="small"
          icon={<Pencil size={16} aria-hidden />}
          disabled={disabled}
          onClick={() => {
            setTyped(value)
            clear()
            setIsOpen(true)
          }}
        >
          {editLabel}
        </Button>
      </div>
    )
  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={label}
        hint={hint}
        error={errors.value}
        value={typed}
        autoComplete="off"
        list={suggestions && listId}
        onChange={({ target }) => {
          setTyped(target.value)
          clear('value')
        }}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      <div className={styles.actions}>
        <Button type="submit" disabled={isBusy}>
          {saveLabel}
        </Button>
        <Button variant="outline" onClick={() => setIsOpen(false)}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  )
}
