import { expect, test } from '@jest/globals'
import { loadCatalogues, setLocale } from '@confetti/i18n'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Tabs } from './tabs.tsx'
import { uiCatalogue } from './texts.ts'

await loadCatalogues([uiCatalogue])

const tabs = ['Current', 'Upcoming', 'Past'].map((name) => ({ value: name, name, content: `${name} events` }))

test('When the language is from right to left, then so are the tabs, their content, and the arrow keys', async () => {
  await act(() => setLocale('ar'))
  render(<Tabs label="Events" tabs={tabs} value="Current" onChange={() => undefined} />)
  expect(screen.getByText('Current events').closest('[dir]')?.getAttribute('dir')).toBe('rtl')
  await userEvent.tab()
  await userEvent.keyboard('{ArrowLeft}')
  expect(document.activeElement?.textContent).toBe('Upcoming')
})
