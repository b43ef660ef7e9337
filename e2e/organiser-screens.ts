import {
  batchSizeOptions,
  button,
  eventDates,
  eventDescription,
  eventName,
  field,
  heading,
  link,
  memberScreens,
  settingsElements,
  text,
  themeToggle,
} from './screen.ts'
import { INVITED, PHOTO } from './seeded-site.ts'

export const organiserScreens = memberScreens('organiser', [
  {
    name: 'welcome page',
    path: () => '/welcome',
    title: 'Welcome',
    elements: [
      heading('Welcome to Confetti!'),
      link('Confetti', '/welcome'),
      themeToggle,
      button('Logout'),
      link('Welcome', '/welcome'),
      link('Contact Admin', '/contact-admin'),
      link('My Events', '/myevents'),
      link('Account', '/account'),
    ],
  },
  {
    name: 'invitation to organise an event',
    path: ({ organiserInvitationPath }) => organiserInvitationPath,
    title: 'Accept your invitation',
    elements: [
      heading('Organise an event'),
      text(`The invitation was sent to ${INVITED}.`),
      (page, { site }) => page.getByText(`You are signed in as ${site.organiser.user.email}.`),
      button('Accept invitation'),
      button('Use another account'),
    ],
  },
  {
    name: 'account page',
    path: () => '/account',
    title: 'Account',
    elements: [
      heading('Account'),
      (page, { site }) => page.getByText(`Signed in as ${site.organiser.user.email}`, { exact: true }),
      heading('Change password', 2),
      field('Current password', '[type=password][required]'),
      field('New password', '[type=password][required]'),
      button('Change Password'),
      heading('Sign out everywhere', 2),
      button('Sign Out Everywhere'),
    ],
  },
  {
    name: 'contact form',
    path: () => '/contact-admin',
    title: 'Contact Admin',
    elements: [
      heading('Contact Admin - Request for new Event'),
      field('Subject'),
      field('Message', 'textarea[rows="5"]'),
      button('Send Message'),
    ],
  },
  {
    name: 'organiser’s event list',
    path: () => '/myevents',
    title: 'My Events',
    elements: [
      heading('My Events'),
      ...batchSizeOptions('100'),
      (page, { site }) =>
        page
          .getByRole('heading', { name: site.event.name })
          .locator(`a[href="${site.event.uploadUrl}"][target=_blank]`),
      eventDescription,
      (...args) => eventDates(...args).first(),
      (page) => page.getByRole('button', { name: 'Download', exact: true }).first(),
      (page) => page.getByRole('button', { name: 'Download All Uploads' }).first(),
      (page) => page.getByText('Active', { exact: true }).first(),
      (page) => page.getByRole('link', { name: /^Review 1 of / }),
      (page, { site }) => page.getByRole('img', { name: `QR code of the upload link of ${site.event.name}` }),
      (page, { site }) =>
        page
          .getByRole('list', { name: `Latest photos of ${site.event.name}` })
          .getByRole('img')
          .nth(1),
    ],
  },
  {
    name: 'empty event list of an organiser',
    persona: 'organiserWithoutEvents',
    path: () => '/myevents',
    title: 'My Events',
    elements: [heading('My Events'), text('No events found.')],
  },
  {
    name: 'organiser’s photo page',
    path: ({ site }) => `/myevents/${site.event._id}`,
    title: 'Photos',
    elements: [
      eventName,
      ...batchSizeOptions('100'),
      button('Download'),
      button('Download All Uploads'),
      button('Select'),
      button(`View ${PHOTO}`),
    ],
  },
  {
    name: 'organiser’s photo page with quotas',
    path: ({ configuredEvent }) => `/myevents/${configuredEvent._id}`,
    title: 'Photos',
    elements: [
      button('Order and filter'),
      (page, { configuredEvent }) =>
        page
          .getByRole('link', { name: 'Settings' })
          .and(page.locator(`[href="/myevents/${configuredEvent._id}/settings"]`)),
    ],
  },
  {
    name: 'organiser’s settings page',
    path: ({ configuredEvent }) => `/myevents/${configuredEvent._id}/settings`,
    title: 'Settings',
    elements: [
      heading('Settings'),
      ...settingsElements,
      text('1 of 500 files'),
      (page) => page.getByText(/^[\d.]+ MB of 50 GB$/),
      (page) => page.getByRole('img', { name: 'Cover of the event' }),
    ],
  },
  {
    name: 'organiser’s review page',
    path: ({ moderatedEvent }) => `/myevents/${moderatedEvent._id}/review`,
    title: 'Review',
    elements: [
      heading('Review'),
      text('1 waiting · 0 reviewed'),
      (page) => page.getByRole('img', { name: PHOTO }),
      ...['Approve', 'Hide', 'Delete', 'Undo'].map(button),
    ],
  },
  {
    name: 'organiser’s photo page with a photo to review',
    path: ({ moderatedEvent }) => `/myevents/${moderatedEvent._id}`,
    title: 'Photos',
    elements: [
      (page, { moderatedEvent }) =>
        page
          .getByRole('link', { name: 'Review 1' })
          .and(page.locator(`[href="/myevents/${moderatedEvent._id}/review"]`)),
      button(`More for ${PHOTO}`),
    ],
  },
])
