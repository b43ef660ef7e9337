import { useLayoutEffect, useRef, useState } from 'react'
import { getFailureText, getFieldErrors } from './failure-text.ts'
import { notifyError } from './notify.tsx'

type FieldErrors = Readonly<Record<string, string>>

interface Rejection {
  getErrors: () => FieldErrors
  /** The fields whose values have changed since, which have no error any more. */
  changed: readonly string[]
}

interface FailureOptions {
  getText?: (error: unknown) => string
  getErrors?: (error: unknown) => FieldErrors
}

const noRejection: Rejection = { getErrors: () => ({}), changed: [] }

const findErrors = ({ getErrors, changed }: Rejection): FieldErrors =>
  Object.fromEntries(Object.entries(getErrors()).filter(([field]) => !changed.includes(field)))

/**
 * What a form sends, and the errors of its fields by name. `form` is its element, in which the first invalid field gets the
 * focus.
 */
export const useForm = () => {
  const form = useRef<HTMLFormElement>(null)
  const [rejection, setRejection] = useState(noRejection)
  const [isBusy, setIsBusy] = useState(false)
  const isFocusDue = useRef(false)
  const errors = findErrors(rejection)

  useLayoutEffect(() => {
    if (isFocusDue.current) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    isFocusDue.current = false
  }, [rejection])

  /**
   * Replaces the errors, and moves the focus to the first field that has one. `getErrors` is called at each rendering, so
   * that the texts follow the language of the page.
   */
  const show = (getErrors: () => FieldErrors): void => {
    isFocusDue.current = Object.keys(getErrors()).length > 0
    setRejection({ getErrors, changed: [] })
  }

  return {
    form,
    isBusy,
    errors,
    show,
    /** Runs what the form sends, one call at a time. If it fails, says why, and shows the errors of the fields. */
    send: async (
      call: () => Promise<void>,
      { getText = getFailureText, getErrors = getFieldErrors }: FailureOptions = {},
    ): Promise<void> => {
      if (isBusy) return
      setIsBusy(true)
      try {
        await call()
      } catch (error) {
        notifyError(getText(error))
        show(() => getErrors(error))
      } finally {
        setIsBusy(false)
      }
    },
    /** Removes the error of a field, because its value has changed, or the errors of all fields. */
    clear: (field?: string): void => {
      if (field === undefined) setRejection(noRejection)
      else if (field in errors)
        setRejection((current) => ({ ...current, changed: [...current.changed, field] }))
    },
  }
}
