import { useState } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ApiError } from '@confetti/api-client'
import { MB, type Event } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { Toaster } from '@confetti/ui/toaster'
import { eventFixture } from '../../test/event-fixture.ts'
import { uploadFixture } from '../../test/upload-fixture.ts'
import { albumCatalogue } from '../texts.ts'
import { EventSettings, type SettingsCalls } from './event-settings.tsx'

await loadCatalogues([albumCatalogue, uiCatalogue])

const GB = 1_024 * MB
const OTHER = { _id: '66aa0000000000000000000b', email: 'helper@confetti.test' }
const openEvent: Event = { ...eventFixture, uploadsCloseAt: '2099-07-14T22:00:00.000Z' }
const total = { files: 214, guests: 38, bytes: 3.2 * GB }

type Calls = { [Name in keyof SettingsCalls]: jest.MockedFunction<SettingsCalls[Name]> }
let calls: Calls
let onLeft: jest.Mock

beforeEach(() => {
  sessionStorage.clear()
  onLeft = jest.fn()
  calls = {
    updateEvent: jest.fn<SettingsCalls['updateEvent']>(),
    inviteOrganiser: jest.fn<SettingsCalls['inviteOrganiser']>(),
    withdrawInvitation: jest.fn<SettingsCalls['withdrawInvitation']>(),
    removeOrganiser: jest.fn<SettingsCalls['removeOrganiser']>(),
    getCover: jest
      .fn<SettingsCalls['getCover']>()
      .mockResolvedValue({ url: 'http://blob.test/cover.webp', width: 400, height: 300 }),
    createWall: jest.fn<SettingsCalls['createWall']>(),
    deleteWall: jest.fn<SettingsCalls['deleteWall']>(),
    listPage: jest.fn<SettingsCalls['listPage']>().mockResolvedValue({ uploads: [], total }),
    loadConsents: jest.fn<SettingsCalls['loadConsents']>(),
  }
})
afterEach(cleanup)

const open = (
  event: Event = openEvent,
  { isAdmin = false, mail = 'on' }: { isAdmin?: boolean; mail?: 'on' | 'off' } = {},
) => {
  const Page = () => {
    const [current, setCurrent] = useState(event)
    const user = { _id: eventFixture.eventFor._id, isAdmin }
    return (
      <EventSettings
        event={current}
        calls={calls}
        user={user}
        mail={mail}
        onChanged={setCurrent}
        onLeft={onLeft}
      />
    )
  }
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Page />
      <Toaster />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}
/** The answer of a server that stores the settings. */
const saved = (settings: Event['settings'], changes: Partial<Event> = {}): Event => ({
  ...openEvent,
  ...changes,
  settings,
})
const saveButton = () => screen.getByRole('button', { name: 'Save settings' })
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))
const preview = () => within(screen.getByRole('region', { name: 'What guests see' }))
const describedBy = (field: Element) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
const welcomeField = () => screen.getByLabelText<HTMLTextAreaElement>('Welcome text')

test('When the page opens, then nothing can be saved until a field changes', async () => {
  const user = open()
  await user.click(saveButton())
  expect(saveButton().getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByText('You have unsaved changes.')).toBeNull()
  expect(calls.updateEvent).not.toHaveBeenCalled()
})

test('When settings are saved, then only what has changed is sent', async () => {
  calls.updateEvent.mockResolvedValue(saved({ welcome: 'Hello!', keepDays: 30 }))
  const user = open()
  await user.type(welcomeField(), 'Hello!')
  await user.type(screen.getByLabelText(/^Delete the event with all photos/), '3650')
  await user.click(saveButton())
  await notices().findByText('Settings saved')
  expect(calls.updateEvent.mock.calls).toEqual([[{ settings: { welcome: 'Hello!', keepDays: 3650 } }]])
})

test('When photos are to be approved and the gallery is to open, then these settings are sent', async () => {
  calls.updateEvent.mockImplementation(() => Promise.resolve(saved({ moderation: 'approve', gallery: 'on' })))
  const user = open()
  expect(screen.queryByLabelText('Gallery opens at')).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Approve first' }))
  await user.click(screen.getByRole('radio', { name: 'On' }))
  fireEvent.change(screen.getByLabelText('Gallery opens at'), { target: { value: '2027-06-14T20:00' } })
  await user.click(saveButton())
  await notices().findByText('Settings saved')
  expect(calls.updateEvent.mock.calls).toEqual([
    [{ settings: { moderation: 'approve', gallery: 'on', revealAt: '2027-06-14T18:00:00.000Z' } }],
  ])
})

test('When a PIN is set, then the page says what becomes of links, and both are saved together', async () => {
  calls.updateEvent.mockImplementation(() => Promise.resolve(saved({ pin: 'Tulip42', pinInLinks: 'off' })))
  const user = open()
  const field = screen.getByLabelText('PIN for guests')
  expect(screen.queryByRole('group', { name: 'PIN in QR code and links' })).toBeNull()
  await user.type(field, 'abc')
  await user.click(saveButton())
  expect(describedBy(field)).toBe('A PIN has 4 to 12 letters (A–Z) or digits.')
  expect(calls.updateEvent).not.toHaveBeenCalled()
  await user.clear(field)
  await user.type(field, 'Tulip42')
  screen.getByText(/Print QR codes again after you change it/)
  await user.click(screen.getByRole('radio', { name: 'Left out' }))
  screen.getByText('Guests type the PIN, even after they have scanned the QR code.')
  await user.click(saveButton())
  await notices().findByText('Settings saved')
  expect(calls.updateEvent.mock.calls).toEqual([[{ settings: { pin: 'Tulip42', pinInLinks: 'off' } }]])
})

test('When the link of the live wall is created, then it can be copied, replaced and ended', async () => {
  calls.createWall
    .mockResolvedValueOnce('http://confetti.test/wall/1#one')
    .mockResolvedValueOnce('http://confetti.test/wall/1#two')
  calls.deleteWall.mockResolvedValue(undefined)
  const user = open()
  await user.click(screen.getByRole('button', { name: 'Create link' }))
  const link = await screen.findByLabelText<HTMLInputElement>('Link to the live wall')
  expect(link.value).toBe('http://confetti.test/wall/1#one')
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  await notices().findByText('Link copied')
  expect(await navigator.clipboard.readText()).toBe('http://confetti.test/wall/1#one')
  await user.selectOptions(screen.getByLabelText('Time for each photo'), '20 seconds')
  await user.selectOptions(screen.getByLabelText('Names of guests'), 'Hide')
  expect(link.value).toBe('http://confetti.test/wall/1?seconds=20&names=off#one')
  await user.selectOptions(screen.getByLabelText('Time for each photo'), '8 seconds')
  await user.selectOptions(screen.getByLabelText('Names of guests'), 'Show')
  expect(link.value).toBe('http://confetti.test/wall/1#one')

  await user.click(screen.getByRole('button', { name: 'Create new link' }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Create new link' }))
  await waitFor(() => expect(link.value).toBe('http://confetti.test/wall/1#two'))

  await user.click(screen.getByRole('button', { name: 'End live wall' }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'End live wall' }))
  await notices().findByText('Live wall ended')
  expect(screen.queryByLabelText('Link to the live wall')).toBeNull()
  expect(screen.getByRole('button', { name: 'Create link' })).toBeTruthy()
})

test('When settings are saved, then there are no unsaved changes, and the next ones can be saved', async () => {
  calls.updateEvent.mockImplementation(({ settings }) =>
    Promise.resolve(saved({ welcome: settings?.welcome ?? undefined })),
  )
  const user = open()
  await user.type(welcomeField(), 'Hello')
  await user.click(saveButton())
  await waitFor(() => expect(screen.queryByText('You have unsaved changes.')).toBeNull())
  await user.type(welcomeField(), '!')
  await user.click(saveButton())
  await waitFor(() => expect(screen.queryByText('You have unsaved changes.')).toBeNull())
  expect(calls.updateEvent.mock.calls).toEqual([
    [{ settings: { welcome: 'Hello' } }],
    [{ settings: { welcome: 'Hello!' } }],
  ])
})

test('When something is typed while settings are being saved, then it stays, and they are saved once', async () => {
  const answer = Promise.withResolvers<Event>()
  calls.updateEvent.mockReturnValue(answer.promise)
  const user = open()
  await user.type(welcomeField(), 'Hello')
  await user.click(saveButton())
  await user.click(screen.getByRole('button', { name: 'Saving...' }))
  await user.type(welcomeField(), ' there')
  answer.resolve(saved({ welcome: 'Hello' }))
  await notices().findByText('Settings saved')
  expect(welcomeField().value).toBe('Hello there')
  expect(screen.getByText('You have unsaved changes.')).toBeTruthy()
  expect(calls.updateEvent).toHaveBeenCalledTimes(1)
})

test('When saving fails, then a notice says why, and nothing that was typed is lost', async () => {
  calls.updateEvent.mockRejectedValue(new ApiError(0, { code: 'network_error', message: 'Connection lost.' }))
  const user = open()
  await user.type(welcomeField(), 'Hello')
  await user.click(saveButton())
  await notices().findByText('Connection lost.')
  expect(welcomeField().value).toBe('Hello')
  expect(saveButton().getAttribute('aria-disabled')).toBe('false')
})

test('When the page is left with unsaved changes, then they are there again, and Discard removes them', async () => {
  const user = open()
  await user.type(welcomeField(), 'Hello')
  cleanup()
  open()
  expect(welcomeField().value).toBe('Hello')
  await user.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(welcomeField().value).toBe('')
  expect(document.activeElement).toBe(saveButton())
  cleanup()
  open()
  expect(welcomeField().value).toBe('')
})

test('When the server rejects a setting, then its message is at the field, which gets the focus', async () => {
  const message = 'The welcome text is longer than 100 characters.'
  const details = [{ field: 'settings.welcome', message }]
  calls.updateEvent.mockRejectedValue(new ApiError(400, { code: 'invalid', message, details }))
  const user = open()
  await user.type(welcomeField(), 'Hello')
  await user.click(saveButton())
  await waitFor(() => expect(document.activeElement).toBe(welcomeField()))
  expect(describedBy(welcomeField())).toBe(message)
})

test('When the welcome text grows, then the field counts its characters and says when there are too many', () => {
  open()
  fireEvent.change(welcomeField(), { target: { value: '🎉'.repeat(3) } })
  expect(describedBy(welcomeField())).toContain('3 of 500 characters')
  fireEvent.change(welcomeField(), { target: { value: 'x'.repeat(501) } })
  expect(describedBy(welcomeField())).toBe('The welcome text is longer than 500 characters.')
})

test('When uploads are closed, then the preview shows it before, and the request closes them', async () => {
  calls.updateEvent.mockResolvedValue(saved({ uploads: 'closed' }, { uploadsOpen: false }))
  const user = open(saved({ welcome: 'Hello!' }))
  expect(preview().getByText('12 – 14 June 2027')).toBeTruthy()
  expect(preview().getByText('Hello!')).toBeTruthy()
  expect(preview().getByText(/^Uploads are open until .*2099.*\.$/)).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Closed' }))
  expect(preview().getByText(/^Uploads are closed/)).toBeTruthy()
  expect(preview().getByText('Uploads for this event are closed.')).toBeTruthy()
  expect(preview().getByText(eventFixture.name)).toBeTruthy()
  for (const hidden of ['Hello!', eventFixture.description, '12 – 14 June 2027'])
    expect(preview().queryByText(hidden)).toBeNull()
  await user.click(saveButton())
  await notices().findByText('Settings saved')
  expect(calls.updateEvent.mock.calls).toEqual([[{ settings: { uploads: 'closed' } }]])
})

test('When uploads are opened after their closing time, then the page asks for a new one before it saves', async () => {
  const event = { ...eventFixture, uploadsOpen: false, uploadsCloseAt: '2020-07-14T22:00:00.000Z' }
  calls.updateEvent.mockResolvedValue(saved({ uploads: 'open' }))
  const user = open(event)
  await user.click(screen.getByRole('radio', { name: 'Open' }))
  await user.click(saveButton())
  const closingTime = screen.getByLabelText('Uploads close at')
  await waitFor(() => expect(document.activeElement).toBe(closingTime))
  expect(describedBy(closingTime)).toContain('This time has passed')
  expect(calls.updateEvent).not.toHaveBeenCalled()

  fireEvent.change(closingTime, { target: { value: '2099-07-01T12:00' } })
  await user.click(saveButton())
  await notices().findByText('Settings saved')
  expect(calls.updateEvent.mock.calls).toEqual([
    [{ settings: { uploads: 'open', uploadsCloseAt: '2099-07-01T10:00:00.000Z' } }],
  ])
})

test('When a closing time is typed, then the preview shows its effect', () => {
  open()
  const closingTime = screen.getByLabelText('Uploads close at')
  fireEvent.change(closingTime, { target: { value: '2099-07-01T12:00' } })
  expect(preview().getByText(/^Uploads are open until .*2099.*12:00.*\.$/)).toBeTruthy()
  fireEvent.change(closingTime, { target: { value: '2020-07-01T12:00' } })
  expect(preview().getByText('Uploads for this event closed on 1 July 2020.')).toBeTruthy()
})

test('When uploads are still closed after they were opened, then the closing time says why', async () => {
  const event = saved({ uploadsCloseAt: '2020-06-20T10:00:00.000Z' }, { uploadsOpen: false })
  calls.updateEvent.mockResolvedValue(saved({}, { uploadsOpen: false }))
  const user = open(event)
  await user.click(screen.getByRole('radio', { name: 'Open' }))
  fireEvent.change(screen.getByLabelText('Uploads close at'), { target: { value: '' } })
  await user.click(saveButton())
  await notices().findByText(/^Uploads are still closed/)
  expect(document.activeElement).toBe(screen.getByLabelText('Uploads close at'))
})

test.each([
  ['on', true],
  ['off', false],
] as const)(
  'When days are entered after which the event is deleted, and mail is %s, then the field shows the date',
  async (mail, hasMail) => {
    const user = open(openEvent, { mail })
    // Apart from the settings that lose nothing.
    const deletion = screen.getByRole('region', { name: 'Deletion' })
    const field = within(deletion).getByLabelText(/^Delete the event with all photos/)
    expect(within(deletion).getAllByRole('spinbutton')).toEqual([field])
    await user.type(field, '30')
    expect(describedBy(field)).toContain('14')
    // Not before its uploads close.
    expect(describedBy(field)).toContain('2099')
    expect(describedBy(field)?.includes('Organisers get a mail')).toBe(hasMail)
  },
)

test('When an admin opens the page, then it has the limits; an organiser sees how much of them is used', async () => {
  const event = saved({ maxFiles: 10_000, maxBytes: 50 * GB })
  open(event)
  expect(await screen.findByText('3.2 of 50 GB')).toBeTruthy()
  expect(screen.getByText('214 of 10,000 files')).toBeTruthy()
  expect(screen.getByRole('progressbar', { name: 'Storage used' }).getAttribute('aria-valuenow')).toBe('6')
  expect(screen.queryByLabelText('Files at most')).toBeNull()
  cleanup()

  calls.updateEvent.mockResolvedValue(saved({ maxFiles: 10_000, maxBytes: 2 * GB }))
  const user = open(event, { isAdmin: true })
  const storage = screen.getByLabelText('Storage at most, in GB')
  await user.clear(storage)
  await user.type(storage, '2')
  await user.click(saveButton())
  await notices().findByText('Settings saved')
  expect(calls.updateEvent.mock.calls).toEqual([[{ settings: { maxBytes: 2 * GB } }]])
  expect(await screen.findByText("Full: guests can't send more.")).toBeTruthy()
})

test('When the used storage fails to load, then the page says so, and Retry loads it', async () => {
  calls.listPage.mockRejectedValue(new Error('The server is busy.'))
  const user = open(saved({ maxBytes: 50 * GB }))
  await screen.findByText(/^Couldn't load how much is used\./)
  expect(screen.queryByRole('progressbar')).toBeNull()
  calls.listPage.mockResolvedValue({ uploads: [], total })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('3.2 of 50 GB')).toBeTruthy()
})

test('When a cover is chosen, then only photos that guests may see are offered, the preview shows it, and it is sent', async () => {
  const photo = uploadFixture(3)
  const others = [
    uploadFixture(1, { status: 'processing', thumbnailUrl: undefined }),
    uploadFixture(2, { contentType: 'video/mp4', originalName: 'clip.mp4' }),
    uploadFixture(4, { visibility: 'hidden' }),
    uploadFixture(5, { visibility: 'pending' }),
  ]
  calls.listPage.mockResolvedValue({ uploads: [photo, ...others], total })
  calls.updateEvent.mockResolvedValue(saved({ cover: photo._id }, { cover: photo._id }))
  const user = open()
  await user.click(screen.getByRole('button', { name: 'Choose a cover' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Choose a cover' }))
  const photos = await dialog.findAllByRole('img')
  expect(photos.map((image) => image.getAttribute('alt'))).toEqual(['photo-3.jpg from Table 4'])
  await user.click(dialog.getByRole('button', { name: 'photo-3.jpg from Table 4' }))

  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change cover' })),
  )
  expect(preview().getByAltText('Cover of the event').getAttribute('src')).toBe(photo.previewUrl)
  await user.click(saveButton())
  await notices().findByText('Settings saved')
  expect(calls.updateEvent.mock.calls).toEqual([[{ settings: { cover: photo._id } }]])
})

test('When the event has a cover, then it is shown, and can be removed', async () => {
  const cover = 'c'.repeat(24)
  calls.updateEvent.mockResolvedValue(saved({}))
  const user = open(saved({ cover }, { cover }))
  expect((await preview().findByAltText('Cover of the event')).getAttribute('src')).toBe(
    'http://blob.test/cover.webp',
  )
  await user.click(screen.getByRole('button', { name: 'Remove cover' }))
  expect(preview().queryByAltText('Cover of the event')).toBeNull()
  await user.click(saveButton())
  await notices().findByText('Settings saved')
  expect(calls.updateEvent.mock.calls).toEqual([[{ settings: { cover: null } }]])
})

test('When the photos for a cover fail to load, then the dialog says so, and Retry loads them', async () => {
  calls.listPage.mockRejectedValue(new Error('The server is busy.'))
  const user = open()
  await user.click(screen.getByRole('button', { name: 'Choose a cover' }))
  await screen.findByText(/The server is busy/)
  calls.listPage.mockResolvedValue({ uploads: [uploadFixture(1)] })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByAltText('photo-1.jpg from Table 4')).toBeTruthy()
})

const invitation = { _id: 'a'.repeat(24), email: OTHER.email, expiresAt: '2099-07-14T22:00:00.000Z' }

test('When another organiser is invited, then the list shows until when; a malformed address is reported at the field', async () => {
  const message = 'Please enter a valid email address.'
  calls.inviteOrganiser.mockRejectedValueOnce(
    new ApiError(400, { code: 'invalid', message, details: [{ field: 'email', message }] }),
  )
  calls.inviteOrganiser.mockResolvedValueOnce(invitation)
  const user = open()
  const field = screen.getByLabelText<HTMLInputElement>('Email address of another organiser')
  await user.type(field, OTHER.email)
  const invite = screen.getByRole('button', { name: 'Invite organiser' })
  await user.click(invite)
  await waitFor(() => expect(describedBy(field)).toBe(message))
  expect(field.value).toBe(OTHER.email)
  await user.click(invite)
  await screen.findByText(`Invited, the link works until ${new Date(invitation.expiresAt).toLocaleString()}`)
  expect(field.value).toBe('')
  expect(screen.queryByLabelText('Link to pass on')).toBeNull()
  expect(calls.inviteOrganiser.mock.calls).toEqual([[OTHER.email], [OTHER.email]])
})

test('When the site sends no mail, then the link is shown to be copied, until the invitation is withdrawn', async () => {
  const url = 'http://confetti.test/organiser-invitation#token=x'
  calls.inviteOrganiser.mockResolvedValue({ ...invitation, url })
  calls.withdrawInvitation.mockResolvedValue(openEvent)
  const user = open()
  await user.type(screen.getByLabelText('Email address of another organiser'), OTHER.email)
  await user.click(screen.getByRole('button', { name: 'Invite organiser' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Link to pass on')).value).toBe(url)
  await user.click(screen.getByRole('button', { name: `Withdraw the invitation of ${OTHER.email}` }))
  await notices().findByText(`The link for ${OTHER.email} no longer works`)
  expect(screen.queryByLabelText('Link to pass on')).toBeNull()
  expect(screen.queryByText(/^Invited, the link works/)).toBeNull()
  expect(calls.withdrawInvitation.mock.calls).toEqual([[invitation._id]])
})

test('When an organiser is removed, then a dialog asks before, and the only organiser cannot be removed', async () => {
  calls.removeOrganiser.mockResolvedValue(eventFixture)
  const user = open({ ...eventFixture, organisers: [eventFixture.eventFor, OTHER] })
  await user.click(screen.getByRole('button', { name: `Remove ${OTHER.email}` }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByText(OTHER.email)).toBeNull())
  expect(calls.removeOrganiser.mock.calls).toEqual([[OTHER._id]])
  expect(screen.queryByRole('button', { name: /^Remove organiser/ })).toBeNull()
  expect(onLeft).not.toHaveBeenCalled()
})

test('When organisers remove themselves, then they leave the page', async () => {
  calls.removeOrganiser.mockResolvedValue({ ...eventFixture, organisers: [OTHER], eventFor: OTHER })
  const user = open({ ...eventFixture, organisers: [eventFixture.eventFor, OTHER] })
  await user.click(screen.getByRole('button', { name: `Remove ${eventFixture.eventFor.email}` }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(onLeft).toHaveBeenCalledTimes(1))
})

test.each([
  [
    'an organiser is invited',
    async (user: ReturnType<typeof userEvent.setup>, answer: Promise<unknown>) => {
      calls.inviteOrganiser.mockReturnValue(answer.then(() => invitation))
      await user.type(screen.getByLabelText('Email address of another organiser'), OTHER.email)
      await user.click(screen.getByRole('button', { name: 'Invite organiser' }))
    },
    'is invited',
  ],
  [
    'a live wall is created',
    async (user: ReturnType<typeof userEvent.setup>, answer: Promise<unknown>) => {
      calls.createWall.mockReturnValue(answer.then(() => 'http://confetti.test/wall/1#one'))
      await user.click(screen.getByRole('button', { name: 'Create link' }))
    },
    'Link created',
  ],
] as const)(
  'When %s while settings are saved, then the settings stay as they were saved',
  async (_, act, notice) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    calls.updateEvent.mockResolvedValue(saved({ welcome: 'Hello!' }))
    const user = open()
    await act(user, promise)
    await user.type(welcomeField(), 'Hello!')
    await user.click(saveButton())
    await notices().findByText('Settings saved')
    expect(welcomeField().value).toBe('Hello!')
    resolve(undefined)
    await notices().findByText(new RegExp(notice))
    expect(welcomeField().value).toBe('Hello!')
  },
)

const language = () => screen.getByLabelText<HTMLSelectElement>('Language of the event')
const target = () => screen.getByLabelText('Translate into')

test('When a language is chosen for the event, then it is saved, and English is the default', async () => {
  calls.updateEvent.mockImplementation(({ settings }) =>
    Promise.resolve(saved({ language: settings?.language ?? undefined })),
  )
  const user = open()
  await user.selectOptions(language(), 'Polski')
  await user.click(saveButton())
  await notices().findByText('Settings saved')
  expect(language().value).toBe('pl')
  await user.selectOptions(language(), 'English (default)')
  await user.click(saveButton())
  await waitFor(() => expect(screen.queryByText('You have unsaved changes.')).toBeNull())
  expect(calls.updateEvent.mock.calls).toEqual([
    [{ settings: { language: 'pl' } }],
    [{ settings: { language: null } }],
  ])
})

test('When a translation is saved, then only its texts are sent, and it is listed', async () => {
  calls.updateEvent.mockResolvedValue(saved({ translations: { de: { name: 'Gartenfest' } } }))
  const user = open(saved({ welcome: 'Hello!' }))
  await user.selectOptions(target(), 'Deutsch')
  await user.type(screen.getByLabelText('Event name in Deutsch'), 'Gartenfest')
  await user.click(saveButton())
  await screen.findByText(/^Translated: Deutsch\./)
  expect(calls.updateEvent.mock.calls).toEqual([
    [{ settings: { translations: { de: { name: 'Gartenfest' } } } }],
  ])
})

test('When both texts of a translation are emptied, then it is removed', async () => {
  calls.updateEvent.mockResolvedValue(saved({ translations: { fr: { name: 'Fête' } } }))
  const user = open(saved({ translations: { de: { name: 'Gartenfest' }, fr: { name: 'Fête' } } }))
  await user.selectOptions(target(), 'Deutsch')
  await user.clear(screen.getByLabelText('Event name in Deutsch'))
  await user.click(saveButton())
  await screen.findByText(/^Translated: Français\./)
  expect(calls.updateEvent.mock.calls).toEqual([[{ settings: { translations: { de: null } } }]])
})

test('When the server refuses a translation, then the message is at its field, and the text stays', async () => {
  const message = 'The event name is longer than 200 characters.'
  calls.updateEvent.mockRejectedValue(
    new ApiError(400, {
      code: 'invalid',
      message,
      details: [{ field: 'settings.translations.de.name', message }],
    }),
  )
  const user = open()
  await user.selectOptions(target(), 'Deutsch')
  const field = screen.getByLabelText<HTMLInputElement>('Event name in Deutsch')
  await user.type(field, 'Gartenfest')
  await user.selectOptions(target(), 'Français')
  await user.click(saveButton())
  expect((await screen.findAllByText(message)).length).toBe(2)
  expect(field.value).toBe('Gartenfest')
  expect(document.activeElement).toBe(field)
})
