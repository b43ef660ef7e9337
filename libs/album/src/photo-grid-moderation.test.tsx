import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
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
  window.scrollTo = () => undefined
})
afterEach(cleanup)

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
    />,
  )
  return userEvent.setup()
}

test('When uploads are not visible to guests, then their cards say so', () => {
  open()
  expect(screen.getAllByText('Waiting for approval', { selector: 'span' })).toHaveLength(1)
  expect(screen.getAllByText('Hidden', { selector: 'span' })).toHaveLength(1)
})

test('When the buttons of a card are pressed, then its upload is approved, hidden or shown', async () => {
  const user = open()
  await user.click(screen.getByRole('button', { name: 'Hide photo-3.jpg' }))
  await user.click(screen.getByRole('button', { name: 'Approve photo-2.jpg' }))
  await user.click(screen.getByRole('button', { name: 'Hide photo-2.jpg' }))
  await user.click(screen.getByRole('button', { name: 'Show photo-1.jpg' }))
  expect(onVisibility.mock.calls.map(([[upload], visibility]) => [upload?.originalName, visibility])).toEqual(
    [
      ['photo-3.jpg', 'hidden'],
      ['photo-2.jpg', 'visible'],
      ['photo-2.jpg', 'hidden'],
      ['photo-1.jpg', 'visible'],
    ],
  )
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
