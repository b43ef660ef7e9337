import { databaseUrl } from '@confetti/launcher'
import { namespace, readBackendAddresses } from './backend-addresses.ts'
import { migrate, type MigratedService } from './migration.ts'

// Brings data of version 0.1 to today's shape: that of the system that `npm start` runs in this checkout, or that of the
// databases in MONGO_URL_AUTH, MONGO_URL_EVENTS, MONGO_URL_UPLOADS, MONGO_URL_MEDIA and MONGO_URL_CONTACT.

const urlOf = async (service: MigratedService): Promise<string> =>
  process.env[`MONGO_URL_${service.toUpperCase()}`] ??
  databaseUrl((await readBackendAddresses()).mongo, namespace, service)

const [auth, events, uploads, media, contact] = await Promise.all([
  urlOf('auth'),
  urlOf('events'),
  urlOf('uploads'),
  urlOf('media'),
  urlOf('contact'),
])
await migrate({ auth, events, uploads, media, contact }, console.log)
