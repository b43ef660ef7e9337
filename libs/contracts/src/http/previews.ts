import { z } from 'zod'
import { eventId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'

// What short links lead to, and what chats show of a link. The shell's server passes `/e/{code}` and crawlers on to them.

export const openShortLink = defineRoute({
  method: 'get',
  path: '/api/codes/{code}/link',
  summary: 'Redirect a browser from a short link to the upload page of the event',
  access: 'anyone',
  // What can be no code is answered like an unknown one.
  params: z.object({ code: z.string() }),
  download: 'text/html',
  responses: { 302: z.string() },
  notFoundCode: 'code_not_found',
})

export const previewShortLink = defineRoute({
  method: 'get',
  path: '/api/codes/{code}/preview',
  summary: 'Preview a short link for the crawlers of chats, as previewEvent does',
  access: 'anyone',
  params: z.object({ code: z.string() }),
  download: 'text/html',
  responses: { 200: z.string() },
  notFoundCode: 'code_not_found',
})

export const previewEvent = defineRoute({
  method: 'get',
  path: '/api/events/{eventId}/preview',
  summary:
    'Preview the upload link of an event for the crawlers of chats: a page with Open Graph tags, of what its guests see',
  access: 'anyone',
  params: z.object({ eventId }),
  download: 'text/html',
  responses: { 200: z.string() },
  notFoundCode: 'event_not_found',
})

export const getPreviewPicture = defineRoute({
  method: 'get',
  path: '/api/events/{eventId}/preview.jpg',
  summary:
    'Get the picture of a preview, of 1,200 x 630 pixels: the cover of the event if guests see one, else a picture of the product',
  access: 'anyone',
  params: z.object({ eventId }),
  download: 'image/jpeg',
  responses: { 200: z.file() },
  notFoundCode: 'event_not_found',
})

export const previewsRoutes = { openShortLink, previewShortLink, previewEvent, getPreviewPicture }
