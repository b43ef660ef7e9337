import { useEffect, useState } from 'react'
import type { ResponseBody } from '@confetti/api-client'
import { api } from '@confetti/session'

type AuthSettings = ResponseBody<'get', '/api/auth/settings'>

/**
 * Whether people can register, and whether passwords can be reset by mail. Undefined until they have been loaded, and if
 * that fails: the server checks them again.
 */
export const useAuthSettings = (): AuthSettings | undefined => {
  const [settings, setSettings] = useState<AuthSettings>()
  useEffect(() => {
    const controller = new AbortController()
    api()
      .get('/api/auth/settings', { signal: controller.signal, quiet: true })
      .then(setSettings)
      .catch(() => undefined)
    return () => controller.abort()
  }, [])
  return settings
}
