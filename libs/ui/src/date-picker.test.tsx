/** @jest-environment jsdom */
import { useState } from 'react'
import { expect, test } from '@jest/globals'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { DateField } from './date-picker.tsx'
import { formatDay } from './day.tsx'

const show = (props: { value?: string; min?: string; error?: string } = {}) => {
  const chosen: string[] = []
  const Holder = () => {
    const [value, setValue] = useState(props.value ?? '')
    const keep = (day: string): void => {
      chosen.push(day)
      setValue(day)
    }
    return <DateField label="Start Date" {...props} value={value} onChange={keep} />
  }
  render(<Holder />)
  return {
    chosen,
    user: userEvent.setup(),
    button: () => screen.getByRole('button', { name: /^Start Date/ }),
  }
}

/** As the reader's language, which is this machine's, writes a day. */
const written = (dateStyle: 'full' | 'medium', ...[year, month, day]: [number, number, number]): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle }).format(new Date(year, month - 1, day, 12))

const dayButton = (...day: [number, number, number]) =>
  within(screen.getByRole('grid')).getByRole('button', {
    name: (name) => name.includes(written('full', ...day)),
  })

const focused = (): string | null | undefined => document.activeElement?.getAttribute('aria-label')

test('When no day is chosen, then the field says so, to everybody', () => {
  const { button } = show()
  expect(button().textContent).toBe('Pick a date')
  expect(button().getAttribute('aria-label')).toBe('Start Date, Pick a date')
})

test('When a day is pressed, then that day is the value, the calendar closes and the focus is back', async () => {
  const { chosen, user, button } = show({ value: '2027-03-28' })
  await user.click(button())
  await user.click(dayButton(2027, 3, 31))

  expect(chosen).toEqual(['2027-03-31'])
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(button())
  expect(button().textContent).toBe(written('medium', 2027, 3, 31))
})

test('When only keys are used, then they go through days, months and years, and choose', async () => {
  const { chosen, user, button } = show({ value: '2027-06-30' })
  button().focus()
  await user.keyboard('{Enter}')
  expect(focused()).toBe(`${written('full', 2027, 6, 30)}, selected`)

  await user.keyboard('{ArrowRight}')
  expect(focused()).toBe(written('full', 2027, 7, 1))
  await user.keyboard('{PageUp}{Shift>}{PageDown}{/Shift}{ArrowDown}{Enter}')
  expect(chosen).toEqual(['2028-06-08'])
})

test('When Escape is pressed, then nothing is chosen and the focus is back', async () => {
  const { chosen, user, button } = show({ value: '2027-06-30' })
  await user.click(button())
  await user.keyboard('{ArrowRight}{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(chosen).toEqual([])
  expect(document.activeElement).toBe(button())
})

test('When there is a first day, then the calendar opens there and nothing before it can be chosen', async () => {
  const { chosen, user, button } = show({ min: '2031-05-10' })
  await user.click(button())
  await user.click(dayButton(2031, 5, 9))
  await user.keyboard('{ArrowLeft}')
  expect(chosen).toEqual([])
  await user.click(dayButton(2031, 5, 10))
  expect(chosen).toEqual(['2031-05-10'])
})

test('When month and year are chosen from their lists, then the calendar goes there', async () => {
  const { chosen, user, button } = show({ value: '2027-06-30' })
  await user.click(button())
  await user.selectOptions(screen.getByLabelText('Choose the Month'), '1')
  await user.selectOptions(screen.getByLabelText('Choose the Year'), '2028')
  await user.click(dayButton(2028, 2, 29))
  expect(chosen).toEqual(['2028-02-29'])
})

test('When something is wrong with it, then the field is marked and points to what', () => {
  const { button } = show({ error: 'Pick the first day.' })
  expect(button().getAttribute('aria-invalid')).toBe('true')
  const note = document.getElementById(button().getAttribute('aria-describedby') ?? '')
  expect(note?.textContent).toBe('Pick the first day.')
})

test('When a day is written out, then it is that day, and what is no day stays as it is', () => {
  expect(formatDay('2027-01-01')).toBe(written('medium', 2027, 1, 1))
  expect(formatDay('2026-12-31')).toBe(written('medium', 2026, 12, 31))
  expect(formatDay('soon')).toBe('soon')
})
