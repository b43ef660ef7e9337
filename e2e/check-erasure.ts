import { execFile } from 'node:child_process'
import { databaseUrl, serviceNames, services } from '@confetti/launcher'
import type { Harness } from './harness.ts'

/** Runs `npm run erasure:check` for a system: what is left of an event or account, by its id or email address. */
export const checkErasure = (
  { system: { backends, namespace } }: Harness,
  text: string,
): Promise<{ code: number; output: string }> => {
  const databases = serviceNames
    .filter((name) => services[name].backends.includes('mongo'))
    .map((name) => databaseUrl(backends.mongo, namespace, name))
  const environment = {
    MONGO_URLS: databases.join(','),
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
