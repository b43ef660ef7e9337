import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** The folder where `npm start` stores its data. */
export const dataDir = join(root, '.confetti')
/** Mails that the development mail server has received. */
export const mailDir = join(dataDir, 'mail')
export const signingKeysFile = join(dataDir, 'signing-keys.json')
/** Contains the addresses of the backends. Exists only while `npm start` runs. */
export const addressesFile = join(dataDir, 'addresses.json')
/** Contains the URL at which `npm run dev` takes over a service. Exists only while `npm start` runs. */
export const handoverFile = join(dataDir, 'handover-url')
