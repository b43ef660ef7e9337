import { useEffect, useState } from 'react'
import { ApiError } from '@confetti/api-client'

/** Whether the server has refused a link's token: it was used, replaced or withdrawn, or has expired. */
const isLinkInvalid = (error: unknown): boolean => error instanceof ApiError && error.code === 'link_invalid'

/** Calls the server with a link's token. Resolves to its answer; to undefined, after `onInvalid`, if the token is refused. */
export const sendToken = async <T>(send: () => Promise<T>, onInvalid: () => void): Promise<T | undefined> => {
  try {
    return await send()
  } catch (error) {
    if (!isLinkInvalid(error)) throw error
    onInvalid()
    return undefined
  }
}

interface Invitation<T> {
  /** What it is for. Undefined until that is known, and if it cannot be loaded: it can be accepted without that. */
  details: T | undefined
  isInvalid: boolean
  setInvalid: () => void
}

/** The invitation of a link. `read`, which has to be the same function in each render, asks what its token is for. */
export const useInvitation = <T>(
  token: string | null,
  read: (token: string, signal: AbortSignal) => Promise<T>,
): Invitation<T> => {
  const [details, setDetails] = useState<T>()
  const [isInvalid, setIsInvalid] = useState(!token)
  useEffect(() => {
    if (!token) return
    const controller = new AbortController()
    read(token, controller.signal).then(setDetails, (error: unknown) => {
      if (isLinkInvalid(error)) setIsInvalid(true)
    })
    return () => controller.abort()
  }, [token, read])
  return { details, isInvalid, setInvalid: () => setIsInvalid(true) }
}
