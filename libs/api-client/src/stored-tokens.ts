export interface Tokens {
  accessToken: string
  refreshToken: string
}

// A browser that refuses storage (private mode, a full disk) keeps the session for this page only.
const memory = new Map<string, string>()

export const stored = {
  get: (key: string): string | undefined => {
    try {
      return localStorage.getItem(key) ?? memory.get(key)
    } catch {
      return memory.get(key)
    }
  },
  set: (key: string, value: string): void => {
    try {
      localStorage.setItem(key, value)
      memory.delete(key)
    } catch {
      memory.set(key, value)
    }
  },
  remove: (key: string): void => {
    memory.delete(key)
    try {
      localStorage.removeItem(key)
    } catch {
      // There is nothing to remove where nothing can be stored.
    }
  },
}

export const accessToken = (): string | undefined => stored.get('accessToken')
export const refreshToken = (): string | undefined => stored.get('refreshToken')

export const keepTokens = (tokens: Tokens): void => {
  stored.set('accessToken', tokens.accessToken)
  stored.set('refreshToken', tokens.refreshToken)
}

export const forgetTokens = (): void => {
  stored.remove('accessToken')
  stored.remove('refreshToken')
}
