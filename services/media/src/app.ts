import { createBaseApp } from '@confetti/service-kit'

/** A worker has no API, only its health. */
export const createApp = (deps: Pick<Parameters<typeof createBaseApp>[0], 'logger' | 'metrics' | 'health'>) =>
  createBaseApp({ ...deps, trustCaller: true, mount: () => undefined })
