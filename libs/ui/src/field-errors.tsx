import { useLayoutEffect, useRef, useState } from 'react'

type FieldErrors = Readonly<Record<string, string>>

/** The errors of a form's fields by name. `form` is its element, in which the first invalid field gets the focus. */
export const useFieldErrors = () => {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const isFocusDue = useRef(false)

  useLayoutEffect(() => {
    if (isFocusDue.current) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    isFocusDue.current = false
  }, [errors])

  return {
    form,
    errors,
    /** Replaces the errors, and moves the focus to the first field that has one. */
    show: (next: FieldErrors): void => {
      isFocusDue.current = Object.keys(next).length > 0
      setErrors(next)
    },
    /** Removes the error of a field, because its value has changed. */
    clear: (field: string): void => {
      if (field in errors)
        setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => name !== field)))
    },
  }
}
