/** @jest-environment jsdom */
import { beforeEach, describe, expect, jest, test } from '@jest/globals'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { BrowserRouter, Link } from '@confetti/federation/router'
import type { Remote, RemoteRoute } from '@confetti/federation/remote'
import { openSession } from '@confetti/session'
import { RemoteScreen, type LoadRemote } from './remote-screen.tsx'

type Page = RemoteRoute['page']

const remoteWith = (page: Page): Remote => ({
  routes: [
    { path: '/contacts', title: 'Contacts', page },
    { path: '/events', title: 'Events', page: () => Promise.resolve(() => <h1>Events</h1>) },
  ],
})
const contacts: Page = () => Promise.resolve(() => <h1>User Contact Messages</h1>)
const fails = () => Promise.reject(new Error('Did not come.'))

const startOver = jest.fn(() => Promise.resolve())

const show = async (load: LoadRemote, path = '/contacts'): Promise<void> => {
  history.replaceState(null, '', path)
  await act(async () => {
    render(
      <BrowserRouter>
        <Link to="/events">To the events</Link>
        <RemoteScreen name="admin" load={load} startOver={startOver} landmark="div" />
      </BrowserRouter>,
    )
    return Promise.resolve()
  })
}
const press = (name: string) => act(async () => fireEvent.click(await screen.findByText(name)))

beforeEach(() => {
  startOver.mockClear()
  openSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  // React writes down each error that a boundary catches.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
})

test('When a remote comes, then its page is shown and the tab has its title', async () => {
  await show(() => Promise.resolve(remoteWith(contacts)))
  await screen.findByText('User Contact Messages')
  expect(document.title).toBe('Contacts · Confetti')
})

test('When a remote has no such page, then that is said', async () => {
  await show(() => Promise.resolve(remoteWith(contacts)), '/nowhere')
  await screen.findByText('There is no such page.')
})

test('When a remote is on its way, then the page says so', async () => {
  await show(() => new Promise(() => undefined))
  await screen.findByText('Loading...')
})

describe('When a remote does not come', () => {
  test('then Retry asks anew, and its page comes', async () => {
    const load = jest
      .fn<LoadRemote>()
      .mockImplementationOnce(fails)
      .mockImplementation(() => Promise.resolve(remoteWith(contacts)))
    await show(load)
    await screen.findByText('This page could not be loaded.')
    await press('Retry')
    await screen.findByText('User Contact Messages')
    expect(load).toHaveBeenCalledTimes(2)
    expect(startOver).not.toHaveBeenCalled()
  })

  test('and the connection comes back, then it is asked anew without a tap', async () => {
    const load = jest
      .fn<LoadRemote>()
      .mockImplementationOnce(fails)
      .mockImplementation(() => Promise.resolve(remoteWith(contacts)))
    await show(load)
    await screen.findByText('This page could not be loaded.')
    act(() => void window.dispatchEvent(new Event('online')))
    await screen.findByText('User Contact Messages')
  })

  test('and Retry does not help, then Retry is still there', async () => {
    await show(fails)
    await press('Retry')
    await screen.findByText('This page could not be loaded.')
    expect(screen.getByText('Retry')).toBeTruthy()
  })
})

describe('When a remote is there but its page does not come', () => {
  test('then Retry asks for the page anew', async () => {
    const file = Promise.withResolvers<never>()
    const page = jest
      .fn<Page>()
      .mockImplementationOnce(() => file.promise)
      .mockImplementation(contacts)
    const remote = Promise.resolve(remoteWith(page))
    await show(() => remote)
    await screen.findByText('Loading...')
    await act(async () => {
      file.reject(new Error('Did not come.'))
      await file.promise.catch(() => undefined)
    })
    await screen.findByText('This page could not be loaded.')
    await press('Retry')
    await screen.findByText('User Contact Messages')
  })

  test('and Retry does not help, then the next one starts the whole page over', async () => {
    const remote = Promise.resolve(remoteWith(fails))
    await show(() => remote)
    await press('Retry')
    await screen.findByText('This page could not be loaded.')
    expect(startOver).not.toHaveBeenCalled()
    await press('Retry')
    expect(startOver).toHaveBeenCalledTimes(1)
  })
})

test('When a page breaks, then it costs that page alone', async () => {
  const broken: Page = () =>
    Promise.resolve(() => {
      throw new Error('A mistake of ours.')
    })
  const remote = Promise.resolve(remoteWith(broken))
  await show(() => remote)
  await screen.findByText('This page has broken.')
  await press('To the events')
  await screen.findByText('Events')
  expect(screen.queryByText('Retry')).toBeNull()
})
