import { useLayoutEffect, useRef, useState } from 'react'

type FieldErrors = Readonly<Record<string, string>>

interface Rejection {
  getErrors: () => FieldErrors
  /** The fields whose values have changed since. */
  corrected: readonly string[]
}

const nothing: Rejection = { getErrors: () => ({}), corrected: [] }

const findErrors = ({ getErrors, corrected }: Rejection): FieldErrors =>
  Object.fromEntries(Object.entries(getErrors()).filter(([field]) => !corrected.includes(field)))

/** The errors of a form's fields by name. `form` is its element, in which the first invalid field gets the focus. */
export const useFieldErrors = () => {
  const form = useRef<HTMLFormElement>(null)
  const [rejection, setRejection] = useState(nothing)
  const isFocusDue = useRef(false)
  const errors = findErrors(rejection)

  useLayoutEffect(() => {
    if (isFocusDue.current) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    isFocusDue.current = false
  }, [rejection])

  return {
    form,
    errors,
    /**
     * Replaces the errors, and moves the focus to the first field that has one. `getErrors` is called at each rendering,
     * so that the texts follow the language of the page.
     */
    show: (getErrors: () => FieldErrors): void => {
      isFocusDue.current = Object.keys(getErrors()).length > 0
      setRejection({ getErrors, corrected: [] })
    },
    /** Removes the error of a field, because its value has changed; of all fields without a name. */
    clear: (field?: string): void => {
      if (field === undefined) setRejection(nothing)
      else if (field in errors)
        setRejection((current) => ({ ...current, corrected: [...current.corrected, field] }))
    },
  }
}
