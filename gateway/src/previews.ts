import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import {
  getCoverPicture,
  getEvent,
  getPreviewPicture,
  guestEvent,
  openShortLink,
  previewEvent,
  previewShortLink,
  type RouteContract,
} from '@confetti/contracts'
import {
  callService,
  eventNotFound,
  mountRoute,
  requestService,
  type AnyHandler,
  type RouteCall,
  type Service,
} from '@confetti/service-kit'
import { Router } from 'express'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Codes } from './codes.ts'
import type { Config } from './config.ts'
import { createPreviewPage } from './preview-page.ts'

/** How old a preview may be. All members of a chat, who open it at once, then cost what one costs. */
const MAX_AGE_SECONDS = 60
/** Of events, 3 kB each, and of covers, which have up to 300 kB. */
const MAX_EVENTS = 1_000
const MAX_COVERS = 50

const productPicture = readFileSync(fileURLToPath(new URL('../docs/preview.jpg', import.meta.url)))

const previewedEvent = guestEvent.pick({
  name: true,
  language: true,
  startDate: true,
  endDate: true,
  welcome: true,
  description: true,
  cover: true,
})

/**
 * What the events service answers to a guest: the view of an event, or what it says instead of one with a PIN. A preview
 * shows nothing else, so that it needs no rules of its own about what is hidden.
 */
const guestAnswer = z.union([
  previewedEvent,
  z
    .object({ code: z.literal('pin_required'), details: previewedEvent.pick({ name: true, language: true }) })
    .transform(({ details }) => details),
  z.object({ code: z.literal('event_not_found') }).transform(() => undefined),
])

/** Creates the handlers that lead browsers from short links to events, and show crawlers what a link leads to. */
export const createPreviews = (
  { config, health }: Service<Config>,
  { findEvent }: Pick<Codes, 'findEvent'>,
): Router => {
  const [siteUrl = ''] = config.SHELL_ORIGINS
  const getUploadUrl = (eventId: string): string => `${siteUrl}/upload?eventId=${eventId}`

  // These answer equal questions once at a time, and keep nothing of those that fail.
  const caching = { ttl: MAX_AGE_SECONDS * 1_000, ignoreFetchAbort: true }
  const events = new LRUCache<string, { event: z.output<typeof guestAnswer> }>({
    ...caching,
    max: MAX_EVENTS,
    fetchMethod: async (eventId) => ({
      event: await requestService(config.EVENTS_URL, getEvent, { eventId }, async (response) =>
        guestAnswer.parse(await response.json()),
      ),
    }),
  })
  const covers = new LRUCache<string, Buffer>({
    ...caching,
    max: MAX_COVERS,
    fetchMethod: async (eventId) => {
      const cover = await callService(config.UPLOADS_URL, getCoverPicture, { eventId })
      return cover ? Buffer.from(cover.jpeg, 'base64') : productPicture
    },
  })

  /** Throws `notFound`. */
  const getPreviewed = async (eventId: string) => {
    const { event } = await events.forceFetch(eventId)
    if (!event) throw eventNotFound()
    return event
  }
  const send = (response: ServerResponse, type: string, body: string | Buffer): void => {
    response.setHeader('Content-Type', type)
    response.setHeader('Content-Length', Buffer.byteLength(body))
    response.setHeader('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`)
    // Pages of chats show the picture, too.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    response.end(body)
  }
  const sendPage = async (response: ServerResponse, eventId: string): Promise<void> => {
    const page = createPreviewPage(await getPreviewed(eventId), {
      pageUrl: getUploadUrl(eventId),
      pictureUrl: `${siteUrl}/preview/${eventId}.jpg`,
    })
    send(response, 'text/html; charset=utf-8', page)
  }

  const router = Router()
  const mount = (contract: RouteContract, handler: AnyHandler): void =>
    mountRoute(router, contract, handler, {
      verifyToken: () => Promise.resolve({ state: 'absent' }),
      maxJsonBytes: config.MAX_JSON_BYTES,
      isDraining: health.isDraining,
    })
  mount(openShortLink, async (call: RouteCall<typeof openShortLink>) => {
    const { eventId } = await findEvent(call)
    const url = getUploadUrl(eventId)
    call.response
      .writeHead(302, {
        Location: url,
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
      })
      .end(`<a href="${url}">${url}</a>`)
  })
  mount(previewShortLink, async (call: RouteCall<typeof previewShortLink>) => {
    const { eventId } = await findEvent(call)
    await sendPage(call.response, eventId)
  })
  mount(previewEvent, ({ params, response }: RouteCall<typeof previewEvent>) =>
    sendPage(response, params.eventId),
  )
  mount(getPreviewPicture, async ({ params, response }: RouteCall<typeof getPreviewPicture>) => {
    const event = await getPreviewed(params.eventId)
    const hasCover = 'cover' in event && event.cover !== undefined
    send(response, 'image/jpeg', hasCover ? await covers.forceFetch(params.eventId) : productPicture)
  })
  return router
}
