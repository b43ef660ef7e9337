import {
  button,
  eventDescription,
  eventName,
  field,
  heading,
  link,
  text,
  themeToggle,
  type ElementLocator,
  type Screen,
} from './screen.ts'
import { WELCOME } from './seeded-site.ts'

const imageTypes = ['jpeg', 'png', 'gif', 'webp', 'heic'].map((type) => `[accept*="image/${type}"]`)

export const guestScreens: readonly Screen[] = [
  {
    name: 'landing page',
    persona: 'guest',
    path: () => '/',
    title: 'Photos from every guest',
    landmarks: ['banner', 'navigation', 'main', 'contentinfo'],
    elements: [
      heading('QR Code-Based Image Upload System'),
      text('Seamless event-based photo sharing — no apps required. Just scan, click, and upload.'),
      link('Register Now', '/register'),
      link('Features', '/#features'),
      link('How It Works', '/#how-it-works'),
      link('Login', '/login'),
      themeToggle,
      heading('Features', 2),
      ...['Instant Uploads', 'Cloud Storage', 'Event-Specific Links'].map((name) => heading(name, 3)),
      heading('How It Works', 2),
      ...['Generate QR Code', 'Scan and Upload', 'View and Manage'].map(
        (name, index): ElementLocator =>
          (page) =>
            page
              .getByRole('listitem')
              .filter({ has: page.getByRole('heading', { name, level: 3 }) })
              .getByText(String(index + 1), { exact: true }),
      ),
      (page) => page.getByText(new RegExp(`${new Date().getFullYear()}.*All rights reserved`)),
    ],
  },
  {
    name: 'sign-in page',
    persona: 'guest',
    path: () => '/login',
    title: 'Sign in',
    landmarks: ['banner', 'main'],
    elements: [
      heading('Welcome back'),
      text('Enter your credentials to continue'),
      field('Email', '[type=email][required]'),
      field('Password', '[type=password][required]'),
      button('Sign In'),
      link('Forgot your password?', '/forgot-password'),
      text("Don't have an account? Sign up"),
      link('Sign up', '/register'),
    ],
  },
  {
    name: 'forgotten password page where no mail is sent',
    persona: 'guest',
    path: () => '/forgot-password',
    title: 'Forgot your password?',
    landmarks: ['banner', 'main'],
    elements: [heading('Ask an admin for help'), link('Go to sign-in', '/login')],
  },
  {
    name: 'password reset page',
    persona: 'guest',
    path: () => '/reset-password#token=x',
    title: 'Reset your password',
    landmarks: ['banner', 'main'],
    elements: [
      heading('Set a new password'),
      field('New password', '[type=password][required]'),
      button('Set Password'),
    ],
  },
  {
    name: 'password reset page with a link that no longer works',
    persona: 'guest',
    path: () => '/reset-password',
    title: 'Reset your password',
    landmarks: ['banner', 'main'],
    elements: [heading('This link no longer works'), link('Send a new link', '/forgot-password')],
  },
  {
    name: 'invitation page',
    persona: 'guest',
    path: ({ invitationPath }) => invitationPath,
    title: 'Accept your invitation',
    landmarks: ['banner', 'main'],
    elements: [
      heading('Welcome!'),
      field('Email', '[readonly]'),
      field('New password', '[type=password][required]'),
      button('Create Account'),
    ],
  },
  {
    name: 'registration page',
    persona: 'guest',
    path: () => '/register',
    title: 'Create an account',
    landmarks: ['banner', 'main'],
    elements: [
      heading('Create an account'),
      text('Enter your details to get started'),
      field('Email', '[type=email][required]'),
      field('Password', '[type=password][required]'),
      button('Create Account'),
      text('Already have an account? Sign in'),
      link('Sign in', '/login'),
    ],
  },
  {
    name: 'guest’s upload page',
    persona: 'guest',
    path: ({ site }) => `/upload?eventId=${site.event._id}`,
    title: 'Upload Media',
    landmarks: ['main'],
    elements: [
      eventName,
      eventDescription,
      (page, { site: { event } }) =>
        page.getByText(
          new RegExp(
            `^${Number(event.startDate.slice(-2))} .*– ${Number(event.endDate.slice(-2))} \\p{L}+ \\d{4}$`,
            'u',
          ),
        ),
      field('Your Name (Photo Credit)', '[required]'),
      (page) =>
        page.locator(
          `input[type=file][multiple][accept*="video/mp4"][accept*="video/quicktime"]${imageTypes.join('')}`,
        ),
      text('You can upload images (JPG, PNG, GIF, WEBP, HEIC) and videos (MP4, MOV).'),
      button('Upload'),
    ],
  },
  {
    name: 'guest’s upload page with a welcome text and a cover',
    persona: 'guest',
    path: ({ configuredEvent }) => `/upload?eventId=${configuredEvent._id}`,
    title: 'Upload Media',
    landmarks: ['main'],
    elements: [
      (page, { configuredEvent }) => page.getByRole('heading', { name: configuredEvent.name }),
      text(WELCOME),
      (page) => page.locator('header img[src]'),
      (page) => page.getByRole('link', { name: "See everyone's photos", exact: true }),
      button('Upload'),
    ],
  },
  {
    name: 'upload page of an unknown event',
    persona: 'guest',
    path: () => '/upload?eventId=000000000000000000000000',
    title: 'Upload Media',
    landmarks: ['main'],
    elements: [heading('Event not found'), link('Go to Home', '/')],
  },
  {
    name: 'upload page of a closed event',
    persona: 'guest',
    path: ({ closedEvent }) => `/upload?eventId=${closedEvent._id}`,
    title: 'Upload Media',
    landmarks: ['main'],
    elements: [
      (page, { closedEvent }) => page.getByRole('heading', { name: closedEvent.name }),
      (page) => page.getByText('Uploads for this event closed on'),
      link('Go to Home', '/'),
    ],
  },
  {
    name: 'upload page without an event id',
    persona: 'guest',
    path: () => '/upload',
    title: 'Upload Media',
    landmarks: ['main'],
    elements: [text('Event ID is missing.'), heading('Which event is it?'), link('Go to Home', '/')],
  },
  {
    name: 'thank-you page',
    persona: 'guest',
    path: () => '/thank-you',
    title: 'Thank You',
    landmarks: ['main'],
    elements: [
      heading('Thank You!'),
      text('Your files have been uploaded successfully.'),
      link('Go to Home', '/'),
    ],
  },
  {
    name: 'gallery',
    persona: 'guest',
    path: ({ configuredEvent }) => `/gallery?eventId=${configuredEvent._id}`,
    title: 'Gallery',
    landmarks: ['main'],
    elements: [
      (page, { configuredEvent }) => page.getByRole('heading', { name: configuredEvent.name }),
      (page) => page.getByRole('button', { name: /^Photo by / }),
      (page, { configuredEvent }) =>
        page
          .getByRole('link', { name: 'Send photos' })
          .and(page.locator(`[href="/upload?eventId=${configuredEvent._id}"]`)),
    ],
  },
  {
    name: 'privacy',
    persona: 'guest',
    path: ({ configuredEvent }) => `/privacy?eventId=${configuredEvent._id}`,
    title: 'Privacy',
    landmarks: ['main'],
    elements: [
      heading('Privacy'),
      (page) => page.getByRole('heading', { name: 'Who is responsible', level: 2 }),
      (page) => page.getByRole('heading', { name: 'Deleting', level: 2 }),
    ],
  },
  {
    name: 'gallery before it opens',
    persona: 'guest',
    path: ({ moderatedEvent }) => `/gallery?eventId=${moderatedEvent._id}`,
    title: 'Gallery',
    landmarks: ['main'],
    elements: [
      (page, { moderatedEvent }) => page.getByRole('heading', { name: moderatedEvent.name }),
      text('The gallery opens in'),
      (page) => page.getByRole('timer'),
    ],
  },
  {
    name: 'gallery of an event without one',
    persona: 'guest',
    path: ({ site }) => `/gallery?eventId=${site.event._id}`,
    title: 'Gallery',
    landmarks: ['main'],
    elements: [heading('No gallery here'), link('Go to Home', '/')],
  },
  {
    name: 'gallery of an unknown event',
    persona: 'guest',
    path: () => '/gallery?eventId=000000000000000000000000',
    title: 'Gallery',
    landmarks: ['main'],
    elements: [heading('Event not found'), link('Go to Home', '/')],
  },
  {
    name: 'live wall with a link that no longer works',
    persona: 'guest',
    path: ({ site }) => `/wall/${site.event._id}#wrong`,
    title: 'Live wall',
    landmarks: ['main'],
    elements: [heading('This link no longer works')],
  },
  {
    name: 'page that does not exist',
    persona: 'guest',
    path: () => '/no-such-page',
    title: 'Page not found',
    landmarks: ['main'],
    elements: [heading('Page not found'), link('Go to Home', '/')],
  },
]
