import {
  batchSizes,
  button,
  eventAbout,
  eventDates,
  eventName,
  field,
  heading,
  link,
  ofMembers,
  text,
  themeToggle,
  type Screen,
} from './screen.ts'
import { PHOTO } from './used-site.ts'

export const organiserScreens: readonly Screen[] = [
  {
    name: 'welcome page',
    as: 'organiser',
    path: () => '/welcome',
    title: 'Welcome',
    landmarks: ofMembers,
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
    as: 'organiser',
    path: () => '/contact-admin',
    title: 'Contact Admin',
    landmarks: ofMembers,
    parts: [
      heading('Contact Admin - Request for new Event'),
      field('Subject'),
      field('Message', 'textarea[rows="5"]'),
      button('Send Message'),
    ],
  },
  {
    name: 'list of an organiser’s events',
    as: 'organiser',
    path: () => '/myevents',
    title: 'My Events',
    landmarks: ofMembers,
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
    landmarks: ofMembers,
    parts: [heading('My Events'), text('No events found.')],
  },
  {
    name: 'organiser’s page of photos',
    as: 'organiser',
    path: ({ site }) => `/myevents/${site.event._id}`,
    title: 'Photos',
    landmarks: ofMembers,
    parts: [eventName, ...batchSizes('100'), button('Download All Uploads'), button(`View ${PHOTO}`)],
  },
]
