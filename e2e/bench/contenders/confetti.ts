import type { ServiceName, System } from '@confetti/launcher'
import { openTrial } from '../../trial/installation.ts'
import { openConnection } from '../connection.ts'
import type { Stage } from '../stage.ts'
import type { Contender } from './contender.ts'
import { sendForm } from './send-form.ts'

const pidsOf = (system: System, ...names: ServiceName[]): number[] =>
  names.flatMap((name) => system.replicas(name).map((service) => service.pid()))

/** The whole system, from the gateway to the record; its media worker paused or at work. Its end is that of `stage`. */
export const confetti = (
  name: string,
  { system, admin, backendProcesses, stop }: Stage,
  { media }: { media: boolean },
): Contender => {
  const gateway = system.url('gateway')
  let eventId = ''
  return {
    name,
    get watched() {
      return {
        gateway: pidsOf(system, 'gateway'),
        uploads: pidsOf(system, 'uploads'),
        auth: pidsOf(system, 'auth'),
        events: pidsOf(system, 'events'),
        contact: pidsOf(system, 'contact'),
        ...(media && { media: pidsOf(system, 'media') }),
        ...backendProcesses,
      }
    },
    prepare: async () => {
      eventId = (await openTrial(gateway, 'Measured', admin)).event._id
      if (media) await Promise.all(system.replicas('media').map((worker) => worker.restart()))
    },
    newGuest: (number, line) => {
      const connection = openConnection(line)
      let guestToken: string | undefined
      return {
        send: async (file) => {
          const headers = await sendForm(
            connection,
            `${gateway}/api/uploads`,
            { eventId, photoCredit: `Guest ${number}` },
            file,
            guestToken ? { 'X-Guest-Token': guestToken } : {},
          )
          guestToken ??= headers['x-guest-token']?.toString()
        },
        close: connection.close,
      }
    },
    // What the worker has not got to stays in its queue, for the next time that it is at work.
    clear: async () => {
      if (media) await Promise.all(system.replicas('media').map((worker) => worker.stop()))
    },
    stop,
  }
}
