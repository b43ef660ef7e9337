import { execFile } from 'node:child_process'
import { databaseUrl, servicesWithDatabase } from '@confetti/launcher'
import { findErasureTraces } from '../scripts/erasure-traces.ts'
import type { Harness } from './harness.ts'

const databaseUrls = ({ system: { backends, namespace } }: Harness): string[] =>
  servicesWithDatabase.map((name) => databaseUrl(backends.mongo, namespace, name))

/** Lists what is left of an event or account in a system, by its id or email address. */
export const findTraces = (harness: Harness, text: string): Promise<string[]> => {
  const { backends, namespace } = harness.system
  const places = {
    databaseUrls: databaseUrls(harness),
    broker: { url: backends.rabbitmq, namespace },
    storage: { BLOB_CONNECTION_STRING: backends.blob, BLOB_ACCOUNT_URL: undefined },
    container: namespace,
  }
  return findErasureTraces(places, text)
}

/** Runs `npm run erasure:check` for a system: what is left of an event or account, by its id or email address. */
export const checkErasure = (harness: Harness, text: string): Promise<{ code: number; output: string }> => {
  const { backends, namespace } = harness.system
  const environment = {
    MONGO_URLS: databaseUrls(harness).join(','),
    RABBITMQ_URL: backends.rabbitmq,
    RABBITMQ_NAMESPACE: namespace,
    BLOB_CONNECTION_STRING: backends.blob,
    BLOB_CONTAINER: namespace,
  }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['scripts/erasure-check.ts', text],
      { cwd: new URL('..', import.meta.url), env: { ...process.env, ...environment } },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? -1) : 0, output: stdout + stderr }),
    )
  })
}
