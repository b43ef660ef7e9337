import { browserStorage } from '@confetti/api-client'

// What this browser remembers about its guest.

const KEY = 'sentEvents'
const MAX_EVENTS = 20

const readSentEvents = (): string[] => browserStorage.get(KEY)?.split(' ') ?? []

/** Whether files were sent to an event from this device. */
export const hasSentTo = (eventId: string): boolean => readSentEvents().includes(eventId)

export const rememberSentTo = (eventId: string): void => {
  const others = readSentEvents().filter((id) => id !== eventId)
  browserStorage.set(KEY, [eventId, ...others].slice(0, MAX_EVENTS).join(' '))
}

const NAME_KEY = 'photoCredit'

/** The name that the guest has typed last. */
export const readGuestName = (): string => browserStorage.get(NAME_KEY) ?? ''
export const rememberGuestName = (name: string): void => browserStorage.set(NAME_KEY, name)

const consentKey = (eventId: string): string => `consent:${eventId}`

/** The version of what the guest has agreed to for an event. */
export const readConsent = (eventId: string): string | undefined => browserStorage.get(consentKey(eventId))
/** Remembers what the guest has agreed to; nothing without a version. */
export const rememberConsent = (eventId: string, version: string | undefined): void =>
  version === undefined
    ? browserStorage.remove(consentKey(eventId))
    : browserStorage.set(consentKey(eventId), version)

/** Set in local storage where the browser may have unsent files, so that other visits do not open its database. */
export const HAS_UNSENT_FILES_KEY = 'hasUnsentFiles'

/** Whether the browser may have unsent files, of earlier visits or shared with the app. */
export const hasUnsentFiles = (): boolean => browserStorage.get(HAS_UNSENT_FILES_KEY) !== undefined
