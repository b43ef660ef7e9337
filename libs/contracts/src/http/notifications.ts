import { z } from 'zod'
import { defineRoute } from '../route-contract.ts'
import { messageResponse } from './errors.ts'

const badLink = 'This link is not valid. Please open it as it is in the mail.'

const link = z.object({
  /** Event, account and signature. */
  subscription: z.string({ error: badLink }).regex(/^[0-9a-f]{24}\.[0-9a-f]{24}\.[\w-]{43}$/, badLink),
})

const path = '/api/notifications/unsubscribe'

export const unsubscribe = defineRoute({
  method: 'post',
  path,
  summary: 'Stop the mails about new uploads of an event, by the link in such a mail',
  access: 'anyone',
  query: link,
  responses: { 200: messageResponse },
})

export const showUnsubscribePage = defineRoute({
  method: 'get',
  path,
  summary: 'The page that asks whether to stop the mails about new uploads of an event',
  access: 'anyone',
  download: 'text/html',
  responses: { 200: z.file() },
})

export const notificationsRoutes = { unsubscribe, showUnsubscribePage }
