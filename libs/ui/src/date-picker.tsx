import { useState } from 'react'
import * as Popover from '@radix-ui/react-popover'
import CalendarDays from 'lucide-react/icons/calendar-days'
import { Calendar } from './date-picker-calendar.tsx'
import styles from './date-picker.module.css'
import popover from './popover.module.css'
import { formatDay } from './day.tsx'
import { Field } from './field.tsx'
import { useText } from './texts.ts'

interface Props {
  label: string
  /** The selected day as yyyy-MM-dd; empty if there is none. */
  value: string
  onChange: (day: string) => void
  /** The first day that can be selected, as yyyy-MM-dd. */
  min?: string | undefined
  /** An error message; shown below the field and read by screen readers. */
  error?: string | undefined
  hint?: string | undefined
}

/** A field with a calendar to pick a day. The day has no time zone: what is clicked is the value. */
export const DateField = ({ label, value, onChange, min, error, hint }: Props) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  const text = value ? formatDay(value) : t('common.pickDate')
  return (
    <Field label={label} error={error} hint={hint}>
      {({ className, ...controlProps }) => (
        <Popover.Root open={open} onOpenChange={setOpen}>
          {/* Includes the day: the label alone would replace the button's text for screen readers. */}
          <Popover.Trigger
            {...controlProps}
            type="button"
            aria-label={`${label}, ${text}`}
            className={`${className} ${styles.field} ${value ? '' : styles.empty}`}
          >
            {text}
            <CalendarDays size={20} aria-hidden />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              aria-label={label}
              align="start"
              sideOffset={6}
              collisionPadding={4}
              className={`${popover.popover} ${styles.calendar}`}
              // Not if the user has gone on: the next calendar would lose the focus, and close.
              onCloseAutoFocus={(event) => {
                if (document.activeElement !== document.body) event.preventDefault()
              }}
            >
              <Calendar
                value={value}
                min={min}
                onSelect={(day) => {
                  onChange(day)
                  setOpen(false)
                }}
              />
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </Field>
  )
}
