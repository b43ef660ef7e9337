import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { DayPicker } from 'react-day-picker'
import { getDirection, getFormatLocale, getLocale, useLocale } from '@confetti/i18n'
import { dateToDay, dayToDate } from './date-picker-day.ts'
import { getText } from './texts.ts'
import styles from './date-picker-calendar.module.css'

/** How many years before and after the current one can be selected. */
const YEAR_RANGE = 10

const icons = { up: ChevronDown, down: ChevronDown, left: ChevronLeft, right: ChevronRight }

const Chevron = ({ orientation = 'left' }: { orientation?: keyof typeof icons }) => {
  const Icon = icons[orientation]
  return <Icon size={orientation === 'down' ? 16 : 20} aria-hidden />
}

const createFormatter =
  (options: Intl.DateTimeFormatOptions) =>
  (date: Date): string =>
    date.toLocaleDateString(getFormatLocale(), options)
const formatFullDay = createFormatter({ dateStyle: 'full' })
const formatMonth = createFormatter({ month: 'long' })
const formatMonthAndYear = createFormatter({ month: 'long', year: 'numeric' })
const formatWeekday = createFormatter({ weekday: 'long' })
// The short names are the whole ones in Arabic, and about as long in Hebrew: they do not fit in a column.
const formatShortWeekday = (date: Date): string =>
  createFormatter({ weekday: getDirection(getLocale()) === 'rtl' ? 'narrow' : 'short' })(date)

type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** Returns the first day of the week in the page's language; Monday if the browser does not provide it. */
const getFirstWeekday = (): Weekday => {
  const locale = new Intl.Locale(getFormatLocale()) as {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  const { firstDay } = locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }
  return (firstDay % 7) as Weekday
}

const labelDayButton = (date: Date, { today, selected }: { today?: boolean; selected?: boolean }): string => {
  const day = formatFullDay(date)
  if (today) return getText(selected ? 'common.day.todaySelected' : 'common.day.today', { day })
  return selected ? getText('common.day.selected', { day }) : day
}

interface Props {
  /** The selected day as yyyy-MM-dd; empty if there is none. */
  value: string
  min: string | undefined
  onSelect: (day: string) => void
}

export const Calendar = ({ value, min, onSelect }: Props) => {
  const locale = useLocale()
  const now = new Date()
  const minDate = min ? dayToDate(min) : undefined
  const selected = value ? dayToDate(value) : undefined
  return (
    <DayPicker
      mode="single"
      required
      autoFocus
      fixedWeeks
      dir={getDirection(locale)}
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
      labels={{
        labelDayButton,
        labelGrid: formatMonthAndYear,
        labelWeekday: formatWeekday,
        labelPrevious: () => getText('common.month.previous'),
        labelNext: () => getText('common.month.next'),
        labelMonthDropdown: () => getText('common.month.choose'),
        labelYearDropdown: () => getText('common.year.choose'),
      }}
    />
  )
}
