import { BrokenPromise } from './promises.ts'
import type { World } from './world.ts'

/** What members are promised: nothing is left of an account that was erased, and the admins get each message, once. */
export const createAccountPromises = ({ look, find, mailServer }: World) => {
  /** The addresses of accounts whose erasure was asked for. */
  const erased = new Set<string>()
  /** Those of which the erasure was acknowledged. */
  const acknowledged = new Set<string>()
  /** Messages to the admins, and who has sent them. */
  const messages = new Map<string, string>()

  return {
    startErasing: (email: string): void => void erased.add(email),
    keepErasure: (email: string): void => void acknowledged.add(email),
    isErased: (email: string): boolean => erased.has(email),
    keepMessage: (id: string, email: string): void => void messages.set(id, email),

    /** What must hold days later. */
    check: async (): Promise<void> => {
      for (const email of acknowledged) {
        const found = find(email)
        if (found.length > 0) throw new BrokenPromise(`Left of ${email}: ${found.join(', ')}`)
      }
      const { messages: listed } = await look('contact', ({ contacts }) => contacts.list({ limit: 100 }))
      for (const [id, email] of messages)
        if (!erased.has(email) && !listed.some(({ _id }) => _id === id))
          throw new BrokenPromise(`A message of ${email} to the admins was accepted, and is not listed`)
      for (const [cause, times] of mailServer.delivered)
        if (times > 1) throw new BrokenPromise(`A mail was delivered ${times} times: ${cause}`)
    },
  }
}
export type AccountPromises = ReturnType<typeof createAccountPromises>
