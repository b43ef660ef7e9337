import { afterEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { ApiError } from '@confetti/api-client'
import type { Event } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { Toaster } from '@confetti/ui/toaster'
import { eventFixture } from '../../test/event-fixture.ts'
import { albumCatalogue } from '../texts.ts'
import type { SettingsCalls } from './event-settings.tsx'
import { LanguagesCard } from './languages-card.tsx'

await loadCatalogues([albumCatalogue, uiCatalogue])

afterEach(cleanup)

const open = (settings: NonNullable<Event['settings']>) => {
  const updateEvent = jest.fn<SettingsCalls['updateEvent']>()
  const Page = () => {
    const [event, setEvent] = useState<Event>({ ...eventFixture, settings })
    return <LanguagesCard event={event} calls={{ updateEvent }} onChanged={setEvent} />
  }
  render(
    <>
      <Page />
      <Toaster />
    </>,
  )
  return { user: userEvent.setup(), updateEvent }
}
const stored = (settings: Event['settings']): Promise<Event> => Promise.resolve({ ...eventFixture, settings })
const language = () => screen.getByLabelText<HTMLSelectElement>('Language of the event')
const target = () => screen.getByLabelText('Translate into')
const save = () => screen.getByRole('button', { name: 'Save translation' })

test('When a language is chosen for the event, then it is saved, and English is the default', async () => {
  const { user, updateEvent } = open({})
  updateEvent.mockImplementation(({ settings }) => stored({ language: settings?.language ?? undefined }))
  await user.selectOptions(language(), 'Polski')
  await screen.findByText('Language saved')
  expect(language().value).toBe('pl')
  await user.selectOptions(language(), 'English (default)')
  expect(updateEvent.mock.calls).toEqual([
    [{ settings: { language: 'pl' } }],
    [{ settings: { language: null } }],
  ])
})

test('When a translation is saved, then only its texts are sent, and it is listed', async () => {
  const { user, updateEvent } = open({ welcome: 'Hello!' })
  updateEvent.mockImplementation(() => stored({ translations: { de: { name: 'Gartenfest' } } }))
  await user.selectOptions(target(), 'Deutsch')
  await user.type(screen.getByLabelText('Event name in Deutsch'), 'Gartenfest')
  await user.click(save())
  await screen.findByText(/^Translated: Deutsch\./)
  expect(updateEvent.mock.calls).toEqual([[{ settings: { translations: { de: { name: 'Gartenfest' } } } }]])
})

test('When both texts of a translation are emptied, then it is removed', async () => {
  const { user, updateEvent } = open({ translations: { de: { name: 'Gartenfest' }, fr: { name: 'Fête' } } })
  updateEvent.mockImplementation(() => stored({ translations: { fr: { name: 'Fête' } } }))
  await user.selectOptions(target(), 'Deutsch')
  await user.clear(screen.getByLabelText('Event name in Deutsch'))
  await user.click(save())
  await screen.findByText(/^Translated: Français\./)
  expect(updateEvent.mock.calls).toEqual([[{ settings: { translations: { de: null } } }]])
})

test('When the server refuses a translation, then the message is at its field, and the text stays', async () => {
  const { user, updateEvent } = open({})
  const message = 'The event name is longer than 200 characters.'
  updateEvent.mockRejectedValue(
    new ApiError(400, {
      code: 'invalid',
      message,
      details: [{ field: 'settings.translations.de.name', message }],
    }),
  )
  await user.selectOptions(target(), 'Deutsch')
  const field = screen.getByLabelText<HTMLInputElement>('Event name in Deutsch')
  await user.type(field, 'Gartenfest')
  await user.click(save())
  expect((await screen.findAllByText(message)).length).toBe(2)
  expect(field.value).toBe('Gartenfest')
  expect(document.activeElement).toBe(field)
})
