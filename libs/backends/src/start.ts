import { findExternalBackend, startOwnBackend } from './backend-sources.ts'
import type { Backend, BackendName, Backends, Options } from './backend.ts'
import { createDataDirLock } from './data-dir-lock.ts'

/**
 * Returns one backend: an external server, or one that it starts, for example a broker that a test stops.
 * Throws if the backend is not available, and leaves nothing running.
 */
export const startBackend = async (name: BackendName, options: Options): Promise<Backend> => {
  const external = findExternalBackend(name, options)
  if (external) return external

  const lock = createDataDirLock(options.dataDir)
  await lock.acquire()
  try {
    const own = await startOwnBackend(name, options)
    return {
      ...own,
      start: () => lock.acquire().then(own.start),
      stop: () => own.stop().finally(lock.release),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Returns all four backends, and starts in parallel those that are not external servers. If a backend is not
 * available, throws one error with every problem and leaves nothing running.
 */
export const startBackends = async (options: Options): Promise<Backends> => {
  const lock = createDataDirLock(options.dataDir)
  const own: Backend[] = []
  const findOrStart = async (name: BackendName): Promise<Backend> => {
    const external = findExternalBackend(name, options)
    if (external) return external
    const backend = await startOwnBackend(name, options)
    own.push(backend)
    return backend
  }
  const stop = () =>
    waitForAll(own.map((backend) => backend.stop()))
      .then(() => {})
      .finally(lock.release)

  await lock.acquire()
  try {
    const starting = {
      mongo: findOrStart('mongo'),
      rabbitmq: findOrStart('rabbitmq'),
      redis: findOrStart('redis'),
      blob: findOrStart('blob'),
    }
    await waitForAll(Object.values(starting))
    const { mongo, rabbitmq, redis, blob } = starting
    return { mongo: await mongo, rabbitmq: await rabbitmq, redis: await redis, blob: await blob, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

// Unlike Promise.all, waits for every promise to settle and throws all failures.
const waitForAll = async <T>(promises: readonly Promise<T>[]): Promise<T[]> => {
  const results = await Promise.allSettled(promises)
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  if (failures.length > 0)
    throw new AggregateError(failures, [...new Set(failures.map(({ message }) => message))].join('\n'))
  return Promise.all(promises)
}
