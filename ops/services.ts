import type { z } from 'zod'
import { config as gateway } from '../gateway/src/config.ts'
import { authConfig as auth } from '../services/auth/src/config.ts'
import { contactConfig as contact } from '../services/contact/src/config.ts'
import { configSchema as events } from '../services/events/src/config.ts'
import { mediaConfig as media } from '../services/media/src/config.ts'
import { configSchema as uploads } from '../services/uploads/src/config.ts'

/** What each service reads of its environment. */
export const schemas: Record<string, z.ZodObject> = { gateway, auth, events, uploads, contact, media }
export const serviceNames = Object.keys(schemas)
