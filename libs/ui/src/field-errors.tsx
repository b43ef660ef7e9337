import { useLayoutEffect, useRef, useState } from 'react'

type FieldErrors = Readonly<Record<string, string>>

interface Rejection {
  getErrors: () => FieldErrors
  /** The fields whose values have changed since, which have no error any more. */
  changed: readonly string[]
}

const noRejection: Rejection = { getErrors: () => ({}), changed: [] }

const findErrors = ({ getErrors, changed }: Rejection): FieldErrors =>
  Object.fromEntries(Object.entries(getErrors()).filter(([field]) => !changed.includes(field)))

/** The errors of a form's fields by name. `form` is its element, in which the first invalid field gets the focus. */
export const useFieldErrors = () => {
  const form = useRef<HTMLFormElement>(null)
  const [rejection, setRejection] = useState(noRejection)
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
      setRejection({ getErrors, changed: [] })
    },
    /** Removes the error of a field, because its value has changed, or the errors of all fields. */
    clear: (field?: string): void => {
      if (field === undefined) setRejection(noRejection)
      else if (field in errors)
        setRejection((current) => ({ ...current, changed: [...current.changed, field] }))
    },
  }
}
