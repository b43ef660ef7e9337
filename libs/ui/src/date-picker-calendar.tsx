import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { DayPicker } from 'react-day-picker'
import { dayOf, momentOf } from './date-picker-day.ts'
import styles from './date-picker-calendar.module.css'

/** How far the calendar goes from this year, backwards and forwards. */
const YEARS = 10

const icons = { up: ChevronDown, down: ChevronDown, left: ChevronLeft, right: ChevronRight }

const Chevron = ({ orientation = 'left' }: { orientation?: keyof typeof icons }) => {
  const Icon = icons[orientation]
  return <Icon size={orientation === 'down' ? 16 : 20} aria-hidden />
}

const writer = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, options)
  return (moment: Date): string => format.format(moment)
}
const fullDay = writer({ dateStyle: 'full' })
const month = writer({ month: 'long' })
const monthAndYear = writer({ month: 'long', year: 'numeric' })
const weekday = writer({ weekday: 'long' })
const shortWeekday = writer({ weekday: 'short' })

type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** The day that weeks begin with for the reader; Monday, as ISO has it, where the browser does not know. */
const firstWeekday = (): Weekday => {
  const locale = new Intl.Locale(new Intl.DateTimeFormat().resolvedOptions().locale) as {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  const { firstDay } = locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }
  return (firstDay % 7) as Weekday
}

const labelDayButton = (moment: Date, { today, selected }: { today?: boolean; selected?: boolean }): string =>
  `${today ? 'Today, ' : ''}${fullDay(moment)}${selected ? ', selected' : ''}`

interface Props {
  /** The chosen day; none yet where it is empty. */
  value: string
  min: string | undefined
  onChoose: (day: string) => void
}

export const Calendar = ({ value, min, onChoose }: Props) => {
  const now = new Date()
  const first = min ? momentOf(min) : undefined
  const selected = value ? momentOf(value) : undefined
  return (
    <DayPicker
      mode="single"
      required
      autoFocus
      fixedWeeks
      showOutsideDays
      captionLayout="dropdown"
      navLayout="around"
      weekStartsOn={firstWeekday()}
      selected={selected}
      defaultMonth={selected ?? (first && first > now ? first : now)}
      startMonth={first ?? new Date(now.getFullYear() - YEARS, 0)}
      endMonth={new Date(Math.max(now.getFullYear(), first?.getFullYear() ?? 0) + YEARS, 11)}
      disabled={first && { before: first }}
      onSelect={(moment) => onChoose(dayOf(moment))}
      classNames={styles}
      components={{ Chevron }}
      formatters={{ formatMonthDropdown: month, formatWeekdayName: shortWeekday }}
      labels={{ labelDayButton, labelGrid: monthAndYear, labelWeekday: weekday }}
    />
  )
}
