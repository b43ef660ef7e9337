import { browserStorage } from '@confetti/api-client'

const KEY = 'sentEvents'
const MAX_EVENTS = 20

const readSentEvents = (): string[] => browserStorage.get(KEY)?.split(' ') ?? []

/** Whether files were sent to an event from this device. */
export const hasSentTo = (eventId: string): boolean => readSentEvents().includes(eventId)

export const rememberSentTo = (eventId: string): void => {
  const others = readSentEvents().filter((id) => id !== eventId)
  browserStorage.set(KEY, [eventId, ...others].slice(0, MAX_EVENTS).join(' '))
}
