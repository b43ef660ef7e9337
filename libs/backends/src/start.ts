import type { Backend, BackendName, Backends, Options } from './backend.ts'
import { makeHome } from './home.ts'
import { takeGiven, takeOwn } from './take.ts'

/**
 * Finds or starts one backend alone, for example a broker that a test wants to break. Throws where it cannot be
 * had, and then leaves nothing running.
 */
export const startBackend = async (name: BackendName, options: Options): Promise<Backend> => {
  const given = takeGiven(name, options)
  if (given) return given

  const home = makeHome(options.dataDir)
  await home.open()
  try {
    const own = await takeOwn(name, options)
    return {
      ...own,
      start: () => home.open().then(own.start),
      stop: () => own.stop().finally(home.close),
    }
  } catch (error) {
    await home.close()
    throw error
  }
}

/**
 * Finds or starts all four backends at once. Throws one error that says what is missing where one of them cannot
 * be had, and then leaves nothing running.
 */
export const startBackends = async (options: Options): Promise<Backends> => {
  const home = makeHome(options.dataDir)
  const own: Backend[] = []
  const take = async (name: BackendName): Promise<Backend> => {
    const given = takeGiven(name, options)
    if (given) return given
    const backend = await takeOwn(name, options)
    own.push(backend)
    return backend
  }
  const stop = () =>
    allOf(own.map((backend) => backend.stop()))
      .then(() => {})
      .finally(home.close)

  await home.open()
  try {
    const taken = {
      mongo: take('mongo'),
      rabbitmq: take('rabbitmq'),
      redis: take('redis'),
      blob: take('blob'),
    }
    await allOf(Object.values(taken))
    const { mongo, rabbitmq, redis, blob } = taken
    return { mongo: await mongo, rabbitmq: await rabbitmq, redis: await redis, blob: await blob, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

// Promise.all rejects while the others are still on their way, and with the first failure alone.
const allOf = async <T>(promises: readonly Promise<T>[]): Promise<T[]> => {
  const results = await Promise.allSettled(promises)
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  if (failures.length > 0)
    throw new AggregateError(failures, [...new Set(failures.map(({ message }) => message))].join('\n'))
  return Promise.all(promises)
}
