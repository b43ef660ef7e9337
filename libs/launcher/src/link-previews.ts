import { Router, type RequestHandler } from 'express'

/**
 * What the user agents of crawlers contain that make previews of links: of Facebook, Messenger and Instagram; of WhatsApp,
 * and of Signal, which calls itself WhatsApp; of Telegram, Slack, X and LinkedIn. iMessage calls itself Facebook and X. The
 * browsers in these apps have none of it. A regular expression for JavaScript and nginx, whatever the case.
 */
export const CRAWLERS = '^WhatsApp|facebookexternalhit|Facebot|TelegramBot|Slackbot|Twitterbot|LinkedInBot'

const isCrawler = (userAgent = ''): boolean => new RegExp(CRAWLERS, 'i').test(userAgent)

const passedHeaders = [
  'content-type',
  'content-length',
  'location',
  'cache-control',
  'content-security-policy',
]

/**
 * Passes short links, and crawlers that ask for a link, on to the gateway, as nginx does in the image of the shell. Where the
 * gateway has no answer, the next handler does: that of the shell's page.
 */
export const passOnLinks = (apiUrl: () => string): Router => {
  const passOn =
    (toPath: (...args: Parameters<RequestHandler>) => string | undefined): RequestHandler =>
    async (request, response, next) => {
      const path = toPath(request, response, next)
      const answer =
        path && (await fetch(new URL(path, apiUrl()), { redirect: 'manual' }).catch(() => undefined))
      if (!answer || answer.status >= 400) {
        next()
        return
      }
      response.status(answer.status).vary('User-Agent')
      for (const name of passedHeaders) {
        const value = answer.headers.get(name)
        if (value !== null) response.setHeader(name, value)
      }
      response.end(Buffer.from(await answer.arrayBuffer()))
    }
  return Router()
    .get(
      '/e/:code',
      passOn(({ params, headers }) => {
        const answer = isCrawler(headers['user-agent']) ? 'preview' : 'link'
        return `/api/codes/${encodeURIComponent(String(params.code))}/${answer}`
      }),
    )
    .get(
      '/upload',
      passOn(({ query, headers }) =>
        isCrawler(headers['user-agent']) && typeof query.eventId === 'string'
          ? `/api/events/${encodeURIComponent(query.eventId)}/preview`
          : undefined,
      ),
    )
    .get(
      '/preview/:picture',
      passOn(({ params }) => {
        const [, eventId] = /^([0-9a-f]{24})\.jpg$/.exec(String(params.picture)) ?? []
        return eventId && `/api/events/${eventId}/preview.jpg`
      }),
    )
}
