import { useState } from 'react'
import * as Popover from '@radix-ui/react-popover'
import CalendarDays from 'lucide-react/icons/calendar-days'
import { Calendar } from './date-picker-calendar.tsx'
import styles from './date-picker.module.css'
import { formatDay } from './day.tsx'
import { Field } from './field.tsx'

interface Props {
  label: string
  /** The chosen day as yyyy-MM-dd; empty while there is none. */
  value: string
  onChange: (day: string) => void
  /** The first day that can be chosen, as yyyy-MM-dd. */
  min?: string | undefined
  /** What is wrong with it; shown below and read out. */
  error?: string | undefined
  hint?: string | undefined
}

/** A calendar day to pick. The day is one of the calendar on the wall, without a time zone: what is pressed is the value. */
export const DateField = ({ label, value, onChange, min, error, hint }: Props) => {
  const [open, setOpen] = useState(false)
  const shown = value ? formatDay(value) : 'Pick a date'
  return (
    <Field label={label} error={error} hint={hint}>
      {({ className, ...wiring }) => (
        <Popover.Root open={open} onOpenChange={setOpen}>
          {/* Its label alone would hide the day from those who cannot see it. */}
          <Popover.Trigger
            {...wiring}
            type="button"
            aria-label={`${label}, ${shown}`}
            className={`${className} ${styles.field} ${value ? '' : styles.empty}`}
          >
            {shown}
            <CalendarDays size={20} aria-hidden />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              aria-label={label}
              align="start"
              sideOffset={6}
              collisionPadding={4}
              className={styles.popover}
            >
              <Calendar
                value={value}
                min={min}
                onChoose={(day) => {
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
