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
  type ElementLocator,
} from './screen.ts'
import { CREDIT, PHOTO, SUBJECT, VIDEO } from './seeded-site.ts'

export const adminScreens = memberScreens('admin', [
  {
    name: 'admin welcome page',
    path: () => '/welcome',
    title: 'Welcome',
    elements: [
      heading('Welcome to Confetti!'),
      link('Welcome', '/welcome'),
      link('Contacts', '/contacts'),
      link('Events', '/events'),
      link('Create Event', '/events/create'),
      link('Users', '/admin/users'),
      link('Audit log', '/admin/audit'),
      link('Account', '/account'),
    ],
  },
  {
    name: 'user list',
    path: () => '/admin/users',
    title: 'Users',
    elements: [
      heading('Users'),
      heading('Invite somebody', 2),
      field('Email', '[type=email][required]'),
      field('Role', 'select'),
      button('Invite'),
      field('Search by email', '[type=search]'),
      (page, { site }) => page.getByRole('heading', { name: site.organiser.user.email, level: 2 }),
      (page) => page.getByText('You', { exact: true }),
      (page) => page.getByRole('button', { name: 'Make organiser' }).first(),
      (page) => page.getByRole('button', { name: /^More for .+@/ }).first(),
    ],
  },
  {
    name: 'audit log',
    path: () => '/admin/audit?action=event.created',
    title: 'Audit log',
    elements: [
      heading('Audit log'),
      field('Person', '[autocomplete=off]'),
      field('Event', '[list]'),
      field('Action', 'select'),
      field('First day', '[type=date]'),
      field('Last day', '[type=date]'),
      button('Apply filters'),
      button('Export CSV'),
      (page) => page.getByRole('heading', { name: 'Event created', level: 2 }).first(),
    ],
  },
  {
    name: 'contact message list',
    path: () => '/contacts',
    title: 'Contacts',
    elements: [
      heading('User Contact Messages'),
      heading(SUBJECT, 2),
      (page) => page.getByText('For 80 guests.\nIs that possible?', { exact: true }),
      (page, { site }) => page.getByText(`From ${site.organiser.user.email}`, { exact: true }),
    ],
  },
  {
    name: 'event list',
    path: () => '/events',
    title: 'Events',
    elements: [
      heading('Events'),
      field('Search by name or organiser', '[type=search]'),
      (page) => page.getByRole('tab', { name: 'Active', selected: true }),
      (page) => page.getByRole('tab', { name: 'Upcoming', selected: false }),
      (page) => page.getByRole('tab', { name: 'Past', selected: false }),
      eventName,
      eventDescription,
      (...args) => eventDates(...args).first(),
      (page, { site }) => page.getByText(site.organiser.user.email).first(),
      (page, { site }) =>
        page
          .getByRole('link', { name: 'View Details' })
          .and(page.locator(`[href="/events/${site.event._id}"]`)),
    ],
  },
  {
    name: 'create event form',
    path: () => '/events/create',
    title: 'Create Event',
    elements: [
      heading('Create Event'),
      field('Event Name', '[required]'),
      field('Description', 'textarea'),
      field('Assign to User', 'select[required]'),
      (page, { site }) =>
        page.getByLabel('Assign to User').filter({ has: page.getByText(site.organiser.user.email) }),
      ...['Start Date', 'End Date'].map(
        (label): ElementLocator =>
          (page) =>
            page.getByLabel(label).filter({ hasText: 'Pick a date' }),
      ),
      button('Create Event'),
    ],
  },
  {
    name: 'event page',
    path: ({ site }) => `/events/${site.event._id}`,
    title: 'Event details',
    elements: [
      eventName,
      eventDescription,
      (page, { site }) =>
        page
          .getByRole('link', { name: 'View Event Uploads' })
          .and(page.locator(`[href="/admin/event-uploads/${site.event._id}"]`)),
      ...['Settings', 'Edit'].map(
        (name): ElementLocator =>
          (page) =>
            page.getByRole('link', { name }),
      ),
      heading('QR Code', 2),
      (page, { site }) => page.getByRole('img', { name: `QR code of the upload page of ${site.event.name}` }),
      (page, { site }) =>
        page.locator(`a[target=_blank]`).and(page.getByRole('link', { name: site.event.uploadUrl })),
    ],
  },
  {
    name: 'edit event form',
    path: ({ site }) => `/events/${site.event._id}/edit`,
    title: 'Edit Event',
    elements: [
      heading('Edit Event'),
      field('Event Name', '[required]'),
      field('Description', 'textarea'),
      field('Add an organiser', 'select'),
      (page, { site }) => page.getByRole('button', { name: `Remove ${site.organiser.user.email}` }),
      ...['Start Date', 'End Date'].map(
        (label): ElementLocator =>
          (page) =>
            page.getByLabel(label).filter({ hasText: /\d{4}$/ }),
      ),
      button('Save'),
      heading('Delete event', 2),
      button('Delete event'),
    ],
  },
  {
    name: 'admin settings page',
    path: ({ site }) => `/events/${site.event._id}/settings`,
    title: 'Settings',
    elements: [
      heading('Settings'),
      ...settingsElements,
      field('Files at most'),
      field('Storage at most, in GB'),
    ],
  },
  {
    name: 'page of an unknown event',
    path: () => '/events/000000000000000000000000',
    title: 'Event details',
    elements: [heading('This event does not exist.'), text('Failed to fetch event details.')],
  },
  {
    name: 'admin uploads page',
    path: ({ site }) => `/admin/event-uploads/${site.event._id}`,
    title: 'Event Uploads',
    elements: [
      heading('Event Uploads'),
      ...batchSizeOptions('50'),
      button('Download'),
      button('Download All'),
      button('Select'),
      (page) => page.getByRole('img', { name: PHOTO }),
      (page) => page.locator('video').and(page.getByLabel(`Video ${VIDEO}`)),
      (page) => page.getByText(`Credit: ${CREDIT}`).nth(1),
      (page) => page.getByText(/^Uploaded at: \d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d$/).nth(1),
      ...[PHOTO, VIDEO].flatMap((name) => [button(`Download ${name}`), button(`Delete ${name}`)]),
    ],
  },
  {
    name: 'admin uploads page without uploads',
    path: ({ emptyEvent }) => `/admin/event-uploads/${emptyEvent._id}`,
    title: 'Event Uploads',
    elements: [heading('Event Uploads'), text('No uploads found for this event.')],
  },
  {
    name: 'admin uploads page without an event id',
    path: () => '/admin/event-uploads',
    title: 'Event Uploads',
    elements: [heading('Event Uploads'), text('Event ID is missing.')],
  },
  {
    name: 'admin review page',
    path: ({ moderatedEvent }) => `/admin/event-uploads/${moderatedEvent._id}/review`,
    title: 'Review',
    elements: [
      heading('Review'),
      text('1 waiting · 0 reviewed'),
      ...['Approve', 'Hide', 'Delete', 'Undo'].map(button),
    ],
  },
  {
    name: 'admin review page without uploads',
    path: ({ emptyEvent }) => `/admin/event-uploads/${emptyEvent._id}/review`,
    title: 'Review',
    elements: [heading('Review'), text('Nothing is waiting for approval.')],
  },
])
