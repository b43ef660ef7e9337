import { createBaseApp, type BaseAppOptions } from '@confetti/service-kit'

/** The HTTP side of the worker: health checks only. */
export const createApp = (deps: Pick<BaseAppOptions, 'logger' | 'metrics' | 'health' | 'requestTimeoutMs'>) =>
  createBaseApp({
    ...deps,
    trustCaller: true,
    carriesMedia: () => false,
    mediaDrainTimeoutMs: 0,
    mount: () => undefined,
  })
