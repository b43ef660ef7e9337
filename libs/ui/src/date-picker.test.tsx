import { useState } from 'react'
import { expect, test } from '@jest/globals'
import { loadCatalogues, setLocale } from '@confetti/i18n'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { DateField } from './date-picker.tsx'
import { formatDay } from './day.tsx'
import { uiCatalogue } from './texts.ts'

await loadCatalogues([uiCatalogue])

const renderField = (props: { value?: string; min?: string; error?: string } = {}) => {
  const changes: string[] = []
  const Form = () => {
    const [value, setValue] = useState(props.value ?? '')
    const handleChange = (day: string): void => {
      changes.push(day)
      setValue(day)
    }
    return <DateField label="Start Date" {...props} value={value} onChange={handleChange} />
  }
  render(<Form />)
  return {
    changes,
    user: userEvent.setup(),
    button: () => screen.getByRole('button', { name: /^Start Date/ }),
  }
}

/** Formats a day in the locale of this machine. */
const formatted = (dateStyle: 'full' | 'medium', ...[year, month, day]: [number, number, number]): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle }).format(new Date(year, month - 1, day, 12))

const dayButton = (...day: [number, number, number]) =>
  within(screen.getByRole('grid')).getByRole('button', {
    name: (name) => name.includes(formatted('full', ...day)),
  })

const focusedLabel = (): string | null | undefined => document.activeElement?.getAttribute('aria-label')

test('When no day is selected, then the button and its accessible name show the placeholder', () => {
  const { button } = renderField()
  expect(button().textContent).toBe('Pick a date')
  expect(button().getAttribute('aria-label')).toBe('Start Date, Pick a date')
})

test('When a day is clicked, then it is the value, the calendar closes and the button has the focus', async () => {
  const { changes, user, button } = renderField({ value: '2027-03-28' })
  await user.click(button())
  await user.click(dayButton(2027, 3, 31))

  expect(changes).toEqual(['2027-03-31'])
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(button())
  expect(button().textContent).toBe(formatted('medium', 2027, 3, 31))
})

test('When only the keyboard is used, then it moves by days, months and years, and selects', async () => {
  const { changes, user, button } = renderField({ value: '2027-06-30' })
  button().focus()
  await user.keyboard('{Enter}')
  expect(focusedLabel()).toBe(`${formatted('full', 2027, 6, 30)}, selected`)

  await user.keyboard('{ArrowRight}')
  expect(focusedLabel()).toBe(formatted('full', 2027, 7, 1))
  await user.keyboard('{PageUp}{Shift>}{PageDown}{/Shift}{ArrowDown}{Enter}')
  expect(changes).toEqual(['2028-06-08'])
})

test('When Escape is pressed, then nothing is selected and the button has the focus', async () => {
  const { changes, user, button } = renderField({ value: '2027-06-30' })
  await user.click(button())
  await user.keyboard('{ArrowRight}{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(changes).toEqual([])
  expect(document.activeElement).toBe(button())
})

test('When there is a minimum, then the calendar opens there and no earlier day can be selected', async () => {
  const { changes, user, button } = renderField({ min: '2031-05-10' })
  await user.click(button())
  await user.click(dayButton(2031, 5, 9))
  await user.keyboard('{ArrowLeft}')
  expect(changes).toEqual([])
  await user.click(dayButton(2031, 5, 10))
  expect(changes).toEqual(['2031-05-10'])
})

test('When month and year are selected from their dropdowns, then the calendar shows that month', async () => {
  const { changes, user, button } = renderField({ value: '2027-06-30' })
  await user.click(button())
  await user.selectOptions(screen.getByLabelText('Choose the Month'), '1')
  await user.selectOptions(screen.getByLabelText('Choose the Year'), '2028')
  await user.click(dayButton(2028, 2, 29))
  expect(changes).toEqual(['2028-02-29'])
})

test('When there is an error, then the field is marked as invalid and refers to the message', () => {
  const { button } = renderField({ error: 'Pick the first day.' })
  expect(button().getAttribute('aria-invalid')).toBe('true')
  const note = document.getElementById(button().getAttribute('aria-describedby') ?? '')
  expect(note?.textContent).toBe('Pick the first day.')
})

test('When a day is formatted, then it stays the same day, and other text is returned unchanged', () => {
  expect(formatDay('2027-01-01')).toBe(formatted('medium', 2027, 1, 1))
  expect(formatDay('2026-12-31')).toBe(formatted('medium', 2026, 12, 31))
  expect(formatDay('soon')).toBe('soon')
})

test('When the page is in Arabic, then the names of the weekdays fit in the columns', async () => {
  await setLocale('ar')
  const { user, button } = renderField({ value: '2027-03-28' })
  await user.click(button())
  const names = within(screen.getByRole('grid')).getAllByRole('columnheader', { hidden: true })
  expect(names.map(({ textContent }) => textContent.length)).toEqual([1, 1, 1, 1, 1, 1, 1])
})
