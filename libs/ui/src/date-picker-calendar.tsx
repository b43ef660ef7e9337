import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { DayPicker } from 'react-day-picker'
import { dateToDay, dayToDate } from './date-picker-day.ts'
import styles from './date-picker-calendar.module.css'

/** How many years before and after the current one can be selected. */
const YEAR_RANGE = 10

const icons = { up: ChevronDown, down: ChevronDown, left: ChevronLeft, right: ChevronRight }

const Chevron = ({ orientation = 'left' }: { orientation?: keyof typeof icons }) => {
  const Icon = icons[orientation]
  return <Icon size={orientation === 'down' ? 16 : 20} aria-hidden />
}

const createFormatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, options)
  return (date: Date): string => format.format(date)
}
const formatFullDay = createFormatter({ dateStyle: 'full' })
const formatMonth = createFormatter({ month: 'long' })
const formatMonthAndYear = createFormatter({ month: 'long', year: 'numeric' })
const formatWeekday = createFormatter({ weekday: 'long' })
const formatShortWeekday = createFormatter({ weekday: 'short' })

type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** Returns the first day of the week in the user's locale; Monday if the browser does not provide it. */
const getFirstWeekday = (): Weekday => {
  const locale = new Intl.Locale(new Intl.DateTimeFormat().resolvedOptions().locale) as {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  const { firstDay } = locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }
  return (firstDay % 7) as Weekday
}

const labelDayButton = (date: Date, { today, selected }: { today?: boolean; selected?: boolean }): string =>
  `${today ? 'Today, ' : ''}${formatFullDay(date)}${selected ? ', selected' : ''}`

interface Props {
  /** The selected day as yyyy-MM-dd; empty if there is none. */
  value: string
  min: string | undefined
  onSelect: (day: string) => void
}

export const Calendar = ({ value, min, onSelect }: Props) => {
  const now = new Date()
  const minDate = min ? dayToDate(min) : undefined
  const selected = value ? dayToDate(value) : undefined
  return (
    <DayPicker
      mode="single"
      required
      autoFocus
      fixedWeeks
      showOutsideDays
      captionLayout="dropdown"
      navLayout="around"
      weekStartsOn={getFirstWeekday()}
      selected={selected}
      defaultMonth={selected ?? (minDate && minDate > now ? minDate : now)}
      startMonth={minDate ?? new Date(now.getFullYear() - YEAR_RANGE, 0)}
      endMonth={new Date(Math.max(now.getFullYear(), minDate?.getFullYear() ?? 0) + YEAR_RANGE, 11)}
      disabled={minDate && { before: minDate }}
      onSelect={(date) => onSelect(dateToDay(date))}
      classNames={styles}
      components={{ Chevron }}
      formatters={{ formatMonthDropdown: formatMonth, formatWeekdayName: formatShortWeekday }}
      labels={{ labelDayButton, labelGrid: formatMonthAndYear, labelWeekday: formatWeekday }}
    />
  )
}
