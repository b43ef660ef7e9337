import type { ServiceName, System } from '@confetti/launcher'
import { createTestEvent } from '../../smoke/test-event.ts'
import type { BenchSystem } from '../bench-system.ts'
import { newFormGuest } from './form-guest.ts'
import { newDirectGuest } from './send-direct.ts'
import type { Target } from './target.ts'

const pidsOf = (system: System, ...names: ServiceName[]): number[] =>
  names.flatMap((name) => system.replicas(name).map((service) => service.pid()))

/** How guests send their files: in forms, or straight to blob storage. */
export type UploadPath = 'multipart' | 'direct'

/** The whole system as a target, with its media workers running or stopped. Stopping it stops `benchSystem`. */
export const confettiTarget = (
  name: string,
  { system, admin, backendProcesses, stop }: BenchSystem,
  { withMedia, path = 'multipart' }: { withMedia: boolean; path?: UploadPath },
): Target => {
  const gateway = system.url('gateway')
  let eventId = ''
  return {
    name,
    get processes() {
      return {
        gateway: pidsOf(system, 'gateway'),
        uploads: pidsOf(system, 'uploads'),
        auth: pidsOf(system, 'auth'),
        events: pidsOf(system, 'events'),
        contact: pidsOf(system, 'contact'),
        ...(withMedia && { media: pidsOf(system, 'media') }),
        ...backendProcesses,
      }
    },
    prepare: async () => {
      eventId = (await createTestEvent(gateway, 'Measured', admin)).event._id
      if (withMedia) await Promise.all(system.replicas('media').map((worker) => worker.restart()))
    },
    newGuest: (number, connectionOptions) => {
      const event = { eventId, photoCredit: `Guest ${number}` }
      if (path === 'direct') return newDirectGuest(gateway, event, connectionOptions)
      return newFormGuest(gateway, event, connectionOptions)
    },
    // Jobs that are not done stay in the queue until the worker is started again.
    clear: async () => {
      if (withMedia) await Promise.all(system.replicas('media').map((worker) => worker.stop()))
    },
    stop,
  }
}
