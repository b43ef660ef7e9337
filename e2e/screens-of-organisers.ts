import {
  batchSizes,
  button,
  eventAbout,
  eventDates,
  eventName,
  field,
  heading,
  link,
  screensOf,
  text,
  themeToggle,
} from './screen.ts'
import { PHOTO } from './used-site.ts'

export const organiserScreens = screensOf('organiser', [
  {
    name: 'welcome page',
    path: () => '/welcome',
    title: 'Welcome',
    parts: [
      heading('Welcome to Confetti!'),
      link('Confetti', '/welcome'),
      themeToggle,
      button('Logout'),
      link('Welcome', '/welcome'),
      link('Contact Admin', '/contact-admin'),
      link('My Events', '/myevents'),
    ],
  },
  {
    name: 'contact form',
    path: () => '/contact-admin',
    title: 'Contact Admin',
    parts: [
      heading('Contact Admin - Request for new Event'),
      field('Subject'),
      field('Message', 'textarea[rows="5"]'),
      button('Send Message'),
    ],
  },
  {
    name: 'list of an organiser’s events',
    path: () => '/myevents',
    title: 'My Events',
    parts: [
      heading('My Events'),
      ...batchSizes('100'),
      (page, { site }) =>
        page
          .getByRole('heading', { name: site.event.name })
          .locator(`a[href="${site.event.uploadUrl}"][target=_blank]`),
      eventAbout,
      (...given) => eventDates(...given).first(),
      (page) => page.getByRole('button', { name: 'Download All Uploads' }).first(),
      (page, { site }) => page.getByRole('img', { name: `QR code of the upload link of ${site.event.name}` }),
      (page, { site }) =>
        page
          .getByRole('list', { name: `Latest photos of ${site.event.name}` })
          .getByRole('img')
          .nth(1),
    ],
  },
  {
    name: 'list of the events of an organiser who has none',
    as: 'newcomer',
    path: () => '/myevents',
    title: 'My Events',
    parts: [heading('My Events'), text('No events found.')],
  },
  {
    name: 'organiser’s page of photos',
    path: ({ site }) => `/myevents/${site.event._id}`,
    title: 'Photos',
    parts: [eventName, ...batchSizes('100'), button('Download All Uploads'), button(`View ${PHOTO}`)],
  },
])
