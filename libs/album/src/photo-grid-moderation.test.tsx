import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import type { Upload } from '@confetti/contracts'
import { uploadFixture } from '../test/upload-fixture.ts'
import { PhotoGrid } from './photo-grid.tsx'
import { albumCatalogue } from './texts.ts'
import type { ChangeVisibility } from './grid-view.ts'

await loadCatalogues([albumCatalogue, uiCatalogue])

const nothing: ReadonlySet<string> = new Set()
const uploads = [
  uploadFixture(3, { visibility: 'visible' }),
  uploadFixture(2, { visibility: 'pending' }),
  uploadFixture(1, { visibility: 'hidden' }),
]
const onVisibility = jest.fn<ChangeVisibility>()

beforeEach(() => {
  onVisibility.mockClear()
  onDelete.mockClear()
  window.scrollTo = () => undefined
})
afterEach(cleanup)

const onDelete = jest.fn<(chosen: readonly Upload[]) => void>()

const open = () => {
  render(
    <PhotoGrid
      uploads={uploads}
      isComplete
      arrivedIds={nothing}
      refresh={() => Promise.resolve([])}
      renewLinks={() => undefined}
      reload={() => Promise.reject(new Error('not called'))}
      createArchive={() => Promise.reject(new Error('not called'))}
      onVisibility={onVisibility}
      onDelete={onDelete}
    />,
  )
  return userEvent.setup()
}

test('When uploads are not visible to guests, then their cards say so', () => {
  open()
  expect(screen.getAllByText('Waiting for approval', { selector: 'span' })).toHaveLength(1)
  expect(screen.getAllByText('Hidden', { selector: 'span' })).toHaveLength(1)
})

test('When the actions of a menu are pressed, then its upload is approved, hidden, shown or deleted', async () => {
  const user = open()
  const press = async (name: string, action: string): Promise<void> => {
    const menu = screen.getByRole('button', { name: `More for ${name}` })
    await user.click(menu)
    await user.click(screen.getByRole('button', { name: action }))
    expect(document.activeElement).toBe(menu)
  }
  await press('photo-3.jpg', 'Hide from guests')
  await press('photo-2.jpg', 'Approve')
  await press('photo-2.jpg', 'Hide from guests')
  await press('photo-1.jpg', 'Show to guests')
  await press('photo-1.jpg', 'Delete')
  expect(onVisibility.mock.calls.map(([[upload], visibility]) => [upload?.originalName, visibility])).toEqual(
    [
      ['photo-3.jpg', 'hidden'],
      ['photo-2.jpg', 'visible'],
      ['photo-2.jpg', 'hidden'],
      ['photo-1.jpg', 'visible'],
    ],
  )
  expect(onDelete.mock.calls).toEqual([[[uploads[2]]]])
})

test('When a photo is visible, then its card has no sign that looks like it was hidden', () => {
  open()
  expect(document.querySelector('.lucide-eye-off, .lucide-eye')).toBeNull()
})

test('When arrow keys are pressed in a menu, then they move between its actions, and Escape closes it', async () => {
  const user = open()
  const menu = screen.getByRole('button', { name: 'More for photo-2.jpg' })
  menu.focus()
  await user.keyboard('{Enter}')
  const names = () => document.activeElement?.textContent
  expect(names()).toBe('Approve')
  await user.keyboard('{ArrowDown}')
  expect(names()).toBe('Hide from guests')
  await user.keyboard('{End}')
  expect(names()).toBe('Delete')
  await user.keyboard('{ArrowDown}')
  expect(names()).toBe('Approve')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(menu))
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

test('When uploads are selected, then they can be deleted together', async () => {
  const user = open()
  await user.click(screen.getByRole('button', { name: 'Select' }))
  await user.click(screen.getByRole('checkbox', { name: /^photo-3/ }))
  await user.click(screen.getByRole('checkbox', { name: /^photo-1/ }))
  await user.click(screen.getByRole('button', { name: 'Delete 2' }))
  expect(onDelete.mock.calls).toEqual([[[uploads[0], uploads[2]]]])
})

test('When uploads are selected, then they are changed together, each where it applies', async () => {
  const user = open()
  await user.click(screen.getByRole('button', { name: 'Select' }))
  await user.click(screen.getByRole('button', { name: 'Select all shown' }))
  expect(screen.getByRole('button', { name: 'Approve 1' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Hide 2' }))
  expect(onVisibility.mock.calls).toEqual([[[uploads[0], uploads[1]], 'hidden']])
})

test('When the filter is for uploads that wait, then only they show', async () => {
  const user = open()
  await user.selectOptions(screen.getByLabelText('Visibility'), 'Waiting for approval')
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  expect(screen.getByText('Showing 1 of 3')).toBeTruthy()
})
