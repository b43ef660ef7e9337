import { beforeEach, describe, expect, jest, test } from '@jest/globals'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { BrowserRouter, Link } from '@confetti/federation/router'
import type { Remote, RemoteRoute } from '@confetti/federation/remote'
import { initSession } from '@confetti/session'
import { RemoteScreen, type LoadRemote } from './remote-screen.tsx'
import { addTexts } from './texts.ts'

addTexts()

type Page = RemoteRoute['page']

const createRemote = (page: Page): Remote => ({
  routes: [
    { path: '/contacts', title: 'Contacts', page },
    { path: '/events', title: 'Events', page: () => Promise.resolve(() => <h1>Events</h1>) },
  ],
})
const contactsPage: Page = () => Promise.resolve(() => <h1>User Contact Messages</h1>)
const failToLoad = () => Promise.reject(new Error('Network error.'))

const reload = jest.fn(() => Promise.resolve())

const renderScreen = async (
  load: LoadRemote,
  path = '/contacts',
  landmark: 'main' | 'div' = 'div',
): Promise<void> => {
  history.replaceState(null, '', path)
  await act(async () => {
    render(
      <BrowserRouter>
        <Link to="/events">To the events</Link>
        <RemoteScreen name="admin" load={load} reload={reload} landmark={landmark} />
      </BrowserRouter>,
    )
    return Promise.resolve()
  })
}
const clickText = (name: string) => act(async () => fireEvent.click(await screen.findByText(name)))

beforeEach(() => {
  reload.mockClear()
  initSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  // React logs each error that a boundary catches.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
})

test('When a remote is loaded, then its page is shown and the document has its title', async () => {
  await renderScreen(() => Promise.resolve(createRemote(contactsPage)))
  await screen.findByText('User Contact Messages')
  expect(document.title).toBe('Contacts · Confetti')
})

test('When a remote has no page for the path, then Page not found is shown', async () => {
  await renderScreen(() => Promise.resolve(createRemote(contactsPage)), '/nowhere')
  await screen.findByText('Page not found')
})

test('When a remote is loading, then Loading is shown', async () => {
  await renderScreen(() => new Promise(() => undefined))
  await screen.findByText('Loading...')
})

describe('When a remote fails to load', () => {
  test('then Retry loads it', async () => {
    const load = jest
      .fn<LoadRemote>()
      .mockImplementationOnce(failToLoad)
      .mockImplementation(() => Promise.resolve(createRemote(contactsPage)))
    await renderScreen(load)
    await screen.findByText("Couldn't load this page")
    await clickText('Retry')
    await screen.findByText('User Contact Messages')
    expect(load).toHaveBeenCalledTimes(2)
    expect(reload).not.toHaveBeenCalled()
  })

  test('and the device is online again, then it is loaded without a click', async () => {
    const load = jest
      .fn<LoadRemote>()
      .mockImplementationOnce(failToLoad)
      .mockImplementation(() => Promise.resolve(createRemote(contactsPage)))
    await renderScreen(load)
    await screen.findByText("Couldn't load this page")
    act(() => void window.dispatchEvent(new Event('online')))
    await screen.findByText('User Contact Messages')
  })

  test('and the retry fails, then Retry is offered again', async () => {
    await renderScreen(failToLoad)
    await clickText('Retry')
    await screen.findByText("Couldn't load this page")
    expect(screen.getByText('Retry')).toBeTruthy()
  })

  test('then the focus moves from Retry to the heading of the next error, and of the page', async () => {
    const load = jest
      .fn<LoadRemote>()
      .mockImplementationOnce(failToLoad)
      .mockImplementationOnce(failToLoad)
      .mockImplementation(() =>
        Promise.resolve(
          createRemote(() =>
            Promise.resolve(() => (
              <main>
                <h1>User Contact Messages</h1>
              </main>
            )),
          ),
        ),
      )
    await renderScreen(load, '/contacts', 'main')
    const retry = async (): Promise<void> => {
      const button = await screen.findByRole('button', { name: 'Retry' })
      button.focus()
      await clickText('Retry')
    }
    await retry()
    const error = await screen.findByRole('heading', { name: "Couldn't load this page" })
    await waitFor(() => expect(document.activeElement).toBe(error))
    await retry()
    const page = await screen.findByRole('heading', { name: 'User Contact Messages' })
    await waitFor(() => expect(document.activeElement).toBe(page))
  })
})

describe('When a page of a remote fails to load', () => {
  test('then Retry loads the page', async () => {
    const chunk = Promise.withResolvers<never>()
    const page = jest
      .fn<Page>()
      .mockImplementationOnce(() => chunk.promise)
      .mockImplementation(contactsPage)
    const remote = Promise.resolve(createRemote(page))
    await renderScreen(() => remote)
    await screen.findByText('Loading...')
    await act(async () => {
      chunk.reject(new Error('Network error.'))
      await chunk.promise.catch(() => undefined)
    })
    await screen.findByText("Couldn't load this page")
    await clickText('Retry')
    await screen.findByText('User Contact Messages')
  })

  test('and the retry fails, then the next one reloads the document', async () => {
    const remote = Promise.resolve(createRemote(failToLoad))
    await renderScreen(() => remote)
    await clickText('Retry')
    await screen.findByText("Couldn't load this page")
    expect(reload).not.toHaveBeenCalled()
    await clickText('Retry')
    expect(reload).toHaveBeenCalledTimes(1)
  })
})

test('When a retry fails while a page asks to stay open, then the document is not reloaded', async () => {
  const stayOpen = (event: Event): void => event.preventDefault()
  window.addEventListener('beforeunload', stayOpen)
  try {
    await renderScreen(failToLoad)
    await clickText('Retry')
    await clickText('Retry')
    await screen.findByText("Couldn't load this page")
    expect(reload).not.toHaveBeenCalled()
  } finally {
    window.removeEventListener('beforeunload', stayOpen)
  }
})

test('When a page throws, then only that page shows an error', async () => {
  const throwingPage: Page = () =>
    Promise.resolve(() => {
      throw new Error('A bug.')
    })
  const remote = Promise.resolve(createRemote(throwingPage))
  await renderScreen(() => remote)
  await screen.findByText('Something went wrong on this page')
  await clickText('To the events')
  await screen.findByText('Events')
  expect(screen.queryByText('Retry')).toBeNull()
})
