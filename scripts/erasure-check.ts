import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl, serviceNames, services } from '@confetti/launcher'
import { namespace as defaultNamespace, readBackendAddresses } from './backend-addresses.ts'
import { findErasureTraces } from './erasure-traces.ts'

// Lists what is left of an erased event or account, by its id or email address, in all databases, dead letters and blob
// storage. Ends with status 1 if anything is left, or if messages wait that may bring something back.

const usage = `npm run erasure:check -- <event id, user id or email address>

Without variables it checks the system that \`npm start\` runs in this checkout. For another one set
MONGO_URLS (the databases of all services, separated by commas), RABBITMQ_URL, RABBITMQ_NAMESPACE, and
BLOB_CONNECTION_STRING or BLOB_ACCOUNT_URL, and BLOB_CONTAINER.`

const HANDLING_MS = 3_000

const { MONGO_URLS, RABBITMQ_URL, BLOB_CONNECTION_STRING, BLOB_ACCOUNT_URL } = process.env
const namespace = process.env.RABBITMQ_NAMESPACE ?? defaultNamespace

const databasesOf = (mongo: string): string[] =>
  serviceNames
    .filter((name) => services[name].backends.includes('mongo'))
    .map((name) => databaseUrl(mongo, namespace, name))

const [text] = process.argv.slice(2)
if (!text) {
  console.error(usage)
  process.exitCode = 1
} else {
  const places = {
    databaseUrls: MONGO_URLS?.split(',') ?? databasesOf((await readBackendAddresses()).mongo),
    broker: { url: RABBITMQ_URL ?? (await readBackendAddresses()).rabbitmq, namespace },
    storage: {
      BLOB_CONNECTION_STRING: BLOB_ACCOUNT_URL
        ? undefined
        : (BLOB_CONNECTION_STRING ?? (await readBackendAddresses()).blob),
      BLOB_ACCOUNT_URL,
    },
    container: process.env.BLOB_CONTAINER ?? namespace,
  }
  let found = await findErasureTraces(places, text)
  if (found.length === 0) {
    // The broker does not count messages that are being handled, which may bring something back.
    await sleep(HANDLING_MS)
    found = await findErasureTraces(places, text)
  }
  for (const trace of found) console.log(trace)
  console.log(found.length === 0 ? `Nothing is left of ${text}.` : `${found.length} traces of ${text}.`)
  process.exitCode = found.length === 0 ? 0 : 1
}
