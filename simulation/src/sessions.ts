import { AppError } from '@confetti/service-kit'
import { createEndables, type Endable } from './endings.ts'
import { BrokenPromise } from './promises.ts'
import type { World } from './world.ts'

/** A page that has lost an answer may use a refresh token again for this time. */
const GRACE_MS = 10_000

interface Session {
  userId: string
  token: string
  /** The tokens before it, the oldest first. */
  replaced: string[]
  /** When the latest token was received. */
  receivedAt: number
  /** When the latest token was first used, if it was. */
  usedAt?: number | undefined
  /** The tokens that are being used right now: tabs of a browser share them. */
  inUse: string[]
}

const newSession = (userId: string, token: string): Session => ({
  userId,
  token,
  replaced: [],
  receivedAt: Date.now(),
  inUse: [],
})

export type UseOfSession = 'refresh' | 'refresh in two tabs' | 'reuse token' | 'sign out'

/** The answer to the use of a refresh token. Undefined if it was refused. */
const unlessRefused = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof AppError && error.kind === 'unauthenticated') return undefined
    throw error
  })

/** How members stay signed in, and whether they do, or no longer. */
export const createSessions = ({ ask, insist, isAnswered, look }: World) => {
  const sessions = createEndables<Session>()

  const checkEnded = async (): Promise<void> => {
    for (const { token, state, userId } of sessions.items)
      if (state === 'ended' && (await unlessRefused(look('auth', (auth) => auth.sessions.refresh(token)))))
        throw new BrokenPromise(`A session of ${userId} has ended, and is refreshed`)
  }

  /** Uses a token. 'none': nobody has answered. */
  const use = async (token: string): Promise<{ refreshToken: string } | 'refused' | 'none'> => {
    const answer = await insist(async () => ({
      next: await unlessRefused(ask('auth', 'refresh', (auth) => auth.sessions.refresh(token))),
    }))
    return answer ? (answer.next ?? 'refused') : 'none'
  }

  const refresh = async (session: Endable<Session>): Promise<void> => {
    const { token, inUse, state, userId } = session
    // While a tab still uses an earlier token, none needs the next one: access tokens last for minutes.
    if (inUse.some((used) => used !== token)) return
    const usedAt = (session.usedAt ??= Date.now())
    inUse.push(token)
    const next = await use(token).finally(() => inUse.splice(inUse.indexOf(token), 1))
    if (next === 'none') return
    if (next === 'refused') {
      if (session.state === 'valid' && Date.now() < usedAt + GRACE_MS)
        throw new BrokenPromise(`${userId} is signed out`)
      session.state = 'ended'
      return
    }
    if (state === 'ended') throw new BrokenPromise(`A session of ${userId} has ended, and is refreshed`)
    if (session.token === token) {
      session.replaced.push(token)
      Object.assign(session, { token: next.refreshToken, receivedAt: Date.now(), usedAt: undefined })
    } else if (session.token !== next.refreshToken)
      throw new BrokenPromise(`Two tabs of ${userId} have different refresh tokens`)
  }

  const whileEnding = async (
    isConcerned: (session: Session) => boolean,
    work: (addInstead: (session: Session) => void) => Promise<boolean>,
  ): Promise<void> => {
    await sessions.whileEnding(isConcerned, work)
    await checkEnded()
  }

  /** Somebody has got hold of a token that is no longer valid. */
  const reuse = async (session: Session): Promise<void> => {
    const { replaced, receivedAt, userId } = session
    const old = Date.now() >= receivedAt + GRACE_MS ? replaced.at(-1) : replaced.at(-2)
    if (old === undefined) return
    await whileEnding(
      (other) => other === session,
      async () => {
        const next = await use(old)
        if (typeof next === 'object')
          throw new BrokenPromise(`A token of ${userId} that was replaced is taken`)
        return next === 'refused'
      },
    )
  }

  const signOut = (session: Session): Promise<void> =>
    whileEnding(
      (other) => other === session,
      () => isAnswered(() => ask('auth', 'sign out', (auth) => auth.sessions.logout(session.token))),
    )

  return {
    /** A browser has signed in to an account. */
    add: (userId: string, token: string): void => sessions.add(newSession(userId, token)),

    /** All sessions of an account end: `work` says whether that was answered, and begins the one that replaces them. */
    whileEndingAll: (
      userId: string,
      work: (beginInstead: (token: string) => void) => Promise<boolean>,
    ): Promise<void> =>
      whileEnding(
        (session) => session.userId === userId,
        (addInstead) => work((token) => addInstead(newSession(userId, token))),
      ),

    use: async (kind: UseOfSession, index: number): Promise<void> => {
      const session = sessions.items[index % sessions.items.length]
      if (!session) return
      switch (kind) {
        case 'refresh':
          return refresh(session)
        case 'refresh in two tabs':
          await Promise.all([refresh(session), refresh(session)])
          return
        case 'reuse token':
          return reuse(session)
        case 'sign out':
          return signOut(session)
      }
    },

    /** Days later: who was not signed out stays signed in. */
    check: async (): Promise<void> => {
      await checkEnded()
      for (const session of sessions.items) if (session.state === 'valid') await refresh(session)
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>
