/** @jest-environment jsdom */
import { useState } from 'react'
import { expect, test } from '@jest/globals'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ConfirmDialog } from './confirm-dialog.tsx'

const show = ({ busy = false, keepsOpener = true } = {}) => {
  const heard: string[] = []
  const Holder = () => {
    const [open, setOpen] = useState(false)
    const [there, setThere] = useState(true)
    const close = (what: string): void => {
      heard.push(what)
      setOpen(false)
      setThere(keepsOpener)
    }
    return (
      <main tabIndex={-1}>
        {there && <button onClick={() => setOpen(true)}>Delete the photo</button>}
        <ConfirmDialog
          open={open}
          title="Confirm Deletion"
          text="This action cannot be undone."
          confirm="Delete"
          busy={busy}
          onConfirm={() => close('confirmed')}
          onCancel={() => close('cancelled')}
        />
      </main>
    )
  }
  render(<Holder />)
  const user = userEvent.setup()
  const opener = screen.getByRole('button', { name: 'Delete the photo' })
  return { heard, user, opener, open: () => user.click(opener) }
}

test('When it opens, then it is named and described, and the harmless button has the focus', async () => {
  const { open } = show()
  await open()
  const dialog = screen.getByRole('alertdialog', { name: 'Confirm Deletion' })
  const description = document.getElementById(dialog.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent).toBe('This action cannot be undone.')
  expect(document.activeElement?.textContent).toBe('Cancel')
})

test('When it is confirmed, then that is told once', async () => {
  const { heard, user, open } = show()
  await open()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(heard).toEqual(['confirmed'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test.each([
  ['Cancel is pressed', (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByText('Cancel'))],
  ['Escape is pressed', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Escape}')],
  [
    'the page beside it is pressed',
    (user: ReturnType<typeof userEvent.setup>) =>
      user.click(document.querySelector('.shade') ?? document.body),
  ],
])('When %s, then it is cancelled and the focus is where it was', async (_, leave) => {
  const { heard, user, opener, open } = show()
  await open()
  await leave(user)
  expect(heard).toEqual(['cancelled'])
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('When what it was opened from is gone, then the focus is on the page', async () => {
  const { user, open } = show({ keepsOpener: false })
  await open()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

test('When the deed is under way, then it cannot be asked for again, but the dialog can be left', async () => {
  const { heard, user, open } = show({ busy: true })
  await open()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(heard).toEqual([])
  await user.keyboard('{Escape}')
  expect(heard).toEqual(['cancelled'])
})
