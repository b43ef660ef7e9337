import { newEvent, newOrganiser } from '@confetti/test-kit'
import { startHarness, type Harness } from './harness.ts'

const unlimited = '1000000'
let starting: Promise<Harness> | undefined

/**
 * Joins the system that the tests of a file share, with an organiser and an event of its own. What others have left is
 * there, too. The first call starts it, and the file ends with `stopSharedSystem`.
 */
export const joinSystem = async (): Promise<Harness> => {
  starting ??= startHarness({
    // Their memory is measured.
    processes: ['auth', 'uploads'],
    environment: {
      gateway: {
        ADDRESS_REQUESTS_PER_MINUTE: unlimited,
        ADDRESS_TOTAL_REQUESTS_PER_MINUTE: unlimited,
        // Some requests are incomplete and end with a timeout.
        IDLE_TIMEOUT_MS: '6000',
        DRAIN_TIMEOUT_MS: '1000',
      },
    },
  })
  const shared = await starting
  const organiser = await newOrganiser(shared.api)
  return { ...shared, organiser, event: await newEvent(shared.api, shared.admin, organiser) }
}

/** Stops the system that the tests of a file have shared. */
export const stopSharedSystem = async (): Promise<void> => {
  const shared = await starting
  starting = undefined
  await shared?.system.stop()
}
