import { expect, test } from '@jest/globals'
import { render, screen, waitFor } from '@testing-library/react'
import { StartFailed } from './start-failed.tsx'
import { addTexts } from './texts.ts'

addTexts()

test('When the page loads after Retry, then the focus moves from Retry to its heading', async () => {
  const { rerender } = render(<StartFailed onRetry={() => undefined} />)
  screen.getByRole('button', { name: 'Retry' }).focus()
  rerender(<p>Loading...</p>)
  rerender(
    <main>
      <h1>Upload Media</h1>
    </main>,
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')))
})
