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
  type Part,
} from './screen.ts'
import { CREDIT, PHOTO, SUBJECT, VIDEO } from './used-site.ts'

export const adminScreens = screensOf('admin', [
  {
    name: 'admin’s welcome page',
    path: () => '/welcome',
    title: 'Welcome',
    parts: [
      heading('Welcome to Confetti!'),
      link('Welcome', '/welcome'),
      link('Contacts', '/contacts'),
      link('Events', '/events'),
      link('Create Event', '/events/create'),
    ],
  },
  {
    name: 'list of contact messages',
    path: () => '/contacts',
    title: 'Contacts',
    parts: [
      heading('User Contact Messages'),
      heading(SUBJECT, 2),
      (page) => page.getByText('For 80 guests.\nIs that possible?', { exact: true }),
      (page, { site }) => page.getByText(`From ${site.organiser.user.email}`, { exact: true }),
    ],
  },
  {
    name: 'list of events',
    path: () => '/events',
    title: 'Events',
    parts: [
      heading('Events'),
      (page) => page.getByRole('tab', { name: 'Active', selected: true }),
      (page) => page.getByRole('tab', { name: 'Upcoming', selected: false }),
      (page) => page.getByRole('tab', { name: 'Past', selected: false }),
      eventName,
      eventAbout,
      (...given) => eventDates(...given).first(),
      (page, { site }) => page.getByText(site.organiser.user.email).first(),
      (page, { site }) =>
        page
          .getByRole('link', { name: 'View Details' })
          .and(page.locator(`[href="/events/${site.event._id}"]`)),
    ],
  },
  {
    name: 'list of events where there are none',
    path: () => '/events?tab=upcoming',
    title: 'Events',
    parts: [heading('Events'), text('No events available.')],
  },
  {
    name: 'form for a new event',
    path: () => '/events/create',
    title: 'Create Event',
    parts: [
      heading('Create Event'),
      field('Event Name', '[required]'),
      field('Description', 'textarea'),
      field('Assign to User', 'select[required]'),
      (page, { site }) =>
        page.getByLabel('Assign to User').filter({ has: page.getByText(site.organiser.user.email) }),
      ...['Start Date', 'End Date'].map(
        (label): Part =>
          (page) =>
            page.getByLabel(label).filter({ hasText: 'Pick a date' }),
      ),
      button('Create Event'),
    ],
  },
  {
    name: 'page of an event',
    path: ({ site }) => `/events/${site.event._id}`,
    title: 'Event details',
    parts: [
      eventName,
      eventAbout,
      (page, { site }) =>
        page
          .getByRole('link', { name: 'View Event Uploads' })
          .and(page.locator(`[href="/admin/event-uploads/${site.event._id}"]`)),
      heading('QR Code', 2),
      (page, { site }) => page.getByRole('img', { name: `QR code of the upload page of ${site.event.name}` }),
      (page, { site }) =>
        page.locator(`a[target=_blank]`).and(page.getByRole('link', { name: site.event.uploadUrl })),
    ],
  },
  {
    name: 'page of an unknown event',
    path: () => '/events/000000000000000000000000',
    title: 'Event details',
    parts: [heading('This event does not exist.'), text('Failed to fetch event details.')],
  },
  {
    name: 'uploads of an event',
    path: ({ site }) => `/admin/event-uploads/${site.event._id}`,
    title: 'Event Uploads',
    parts: [
      heading('Event Uploads'),
      ...batchSizes('50'),
      button('Download All'),
      (page) => page.getByRole('img', { name: PHOTO }),
      (page) => page.locator('video').and(page.getByLabel(`Video ${VIDEO}`)),
      (page) => page.getByText(`Credit: ${CREDIT}`).nth(1),
      (page) => page.getByText(/^Uploaded at: \d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d$/).nth(1),
      ...[PHOTO, VIDEO].flatMap((name) => [button(`Download ${name}`), button(`Delete ${name}`)]),
    ],
  },
  {
    name: 'uploads of an event that has none',
    path: ({ empty }) => `/admin/event-uploads/${empty._id}`,
    title: 'Event Uploads',
    parts: [heading('Event Uploads'), text('No uploads found for this event.')],
  },
  {
    name: 'uploads without an event',
    path: () => '/admin/event-uploads',
    title: 'Event Uploads',
    parts: [heading('Event Uploads'), text('Event ID is missing.')],
  },
])
