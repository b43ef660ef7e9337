import { serviceNames } from '@confetti/launcher'
import { newEvent, newOrganiser } from '@confetti/test-kit'
import { bundleServices } from './bundle-services.ts'
import { startHarness, type Harness } from './harness.ts'

const unlimited = '1000000'

const stops: (() => Promise<void>)[] = []

/** Stops the systems that the tests of a file have joined. Each file with such tests calls it at its end. */
export const stopSharedSystems = async (): Promise<void> => {
  for (const stop of stops.splice(0)) await stop()
}

/**
 * Returns a function by which all tests of a file join one system, with an organiser and an event of their own. What
 * others have left is there, too. The first call starts it.
 */
const shareSystem = (start: () => Promise<Harness>): (() => Promise<Harness>) => {
  let starting: Promise<Harness> | undefined
  const startOnce = (): Promise<Harness> => {
    const started = start()
    stops.push(async () => {
      starting = undefined
      await (await started).system.stop()
    })
    return started
  }
  return async () => {
    starting ??= startOnce()
    const shared = await starting
    const organiser = await newOrganiser(shared.api)
    return { ...shared, organiser, event: await newEvent(shared.api, shared.admin, organiser) }
  }
}

const addressesAreUnlimited = {
  ADDRESS_REQUESTS_PER_MINUTE: unlimited,
  ADDRESS_TOTAL_REQUESTS_PER_MINUTE: unlimited,
}

let clockAheadMs = 0

/** Makes it later in the system of `joinSystem`. */
export const advanceClock = (byMs: number): void => {
  clockAheadMs += byMs
}

/** Joins a system without limits for one address. */
export const joinSystem = shareSystem(() =>
  startHarness({
    clock: () => new Date(Date.now() + clockAheadMs),
    environment: { gateway: addressesAreUnlimited },
  }),
)

/** Joins a system with two replicas of each service that keeps connections open. */
export const joinReplicatedSystem = shareSystem(() => {
  // A replica that stops ends its streams one by one in this time.
  const streams = { STREAM_DRAIN_MS: '500' }
  return startHarness({
    replicas: { uploads: 2, live: 2, gateway: 2 },
    processes: ['uploads'],
    environment: { live: streams, gateway: streams, uploads: { SHUTDOWN_GRACE_MS: '120000' } },
  })
})

/** Joins a system without limits for one address, for tests that store many files and need no previews of them. */
export const joinSystemWithoutMedia = shareSystem(() =>
  startHarness({
    services: serviceNames.filter((name) => name !== 'media'),
    // Their memory is measured.
    processes: ['auth', 'uploads'],
    environment: { gateway: addressesAreUnlimited },
  }),
)

/** Joins a system without limits for addresses, accounts and guests, whose services run from bundles, as in images. */
export const joinBundledSystem = shareSystem(async () => {
  await bundleServices()
  return startHarness({
    bundled: true,
    environment: {
      gateway: {
        ...addressesAreUnlimited,
        MEMBER_REQUESTS_PER_MINUTE: unlimited,
        CLIENT_ERRORS_PER_MINUTE: unlimited,
        UNKNOWN_CODES_PER_MINUTE: unlimited,
        WRONG_PINS_PER_GUEST: unlimited,
        WRONG_PINS_PER_ADDRESS: unlimited,
        WRONG_PINS_PER_EVENT: unlimited,
      },
      auth: {
        SIGN_IN_FAILURES_PER_ACCOUNT: unlimited,
        SIGN_IN_FAILURES_PER_ADDRESS: unlimited,
        REGISTRATIONS_PER_ADDRESS: unlimited,
        PASSWORD_RESETS_PER_ADDRESS: unlimited,
        PASSWORD_CHANGES_PER_HOUR: unlimited,
      },
      contact: { USER_MESSAGES_PER_HOUR: unlimited },
      // The decoder that is part of the bundle. By default, a program decodes HEIC if there is one.
      media: { HEIF_DECODER: 'libheif-js' },
    },
  })
})
