import { useState } from 'react'
import { expect, test } from '@jest/globals'
import { loadCatalogues } from '@confetti/i18n'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { uiCatalogue } from './texts.ts'

await loadCatalogues([uiCatalogue])

const renderDialog = ({ busy = false, keepOpener = true } = {}) => {
  const calls: string[] = []
  const Page = () => {
    const [open, setOpen] = useState(false)
    const [showOpener, setShowOpener] = useState(true)
    const close = (callback: string): void => {
      calls.push(callback)
      setOpen(false)
      setShowOpener(keepOpener)
    }
    return (
      <main tabIndex={-1}>
        {showOpener && <button onClick={() => setOpen(true)}>Delete the photo</button>}
        <ConfirmDialog
          open={open}
          title="Confirm Deletion"
          text="This action cannot be undone."
          confirmLabel="Delete"
          busy={busy}
          onConfirm={() => close('confirmed')}
          onCancel={() => close('cancelled')}
        />
      </main>
    )
  }
  render(<Page />)
  const user = userEvent.setup()
  const opener = screen.getByRole('button', { name: 'Delete the photo' })
  return { calls, user, opener, open: () => user.click(opener) }
}

test('When the dialog opens, then it has a name and a description, and Cancel has the focus', async () => {
  const { open } = renderDialog()
  await open()
  const dialog = screen.getByRole('alertdialog', { name: 'Confirm Deletion' })
  const description = document.getElementById(dialog.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent).toBe('This action cannot be undone.')
  expect(document.activeElement?.textContent).toBe('Cancel')
})

test('When it is confirmed, then onConfirm is called once', async () => {
  const { calls, user, open } = renderDialog()
  await open()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(calls).toEqual(['confirmed'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test.each([
  ['Cancel is pressed', (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByText('Cancel'))],
  ['Escape is pressed', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Escape}')],
  [
    'the overlay is clicked',
    (user: ReturnType<typeof userEvent.setup>) =>
      user.click(document.querySelector('.overlay') ?? document.body),
  ],
])('When %s, then onCancel is called and the opener has the focus', async (_, cancel) => {
  const { calls, user, opener, open } = renderDialog()
  await open()
  await cancel(user)
  expect(calls).toEqual(['cancelled'])
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('When the opener is gone, then the page has the focus', async () => {
  const { user, open } = renderDialog({ keepOpener: false })
  await open()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

test('When the action is running, then it cannot be confirmed again, but the dialog can be closed', async () => {
  const { calls, user, open } = renderDialog({ busy: true })
  await open()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(calls).toEqual([])
  await user.keyboard('{Escape}')
  expect(calls).toEqual(['cancelled'])
})
