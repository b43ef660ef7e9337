import { browserStorage } from './browser-storage.ts'

export interface Tokens {
  accessToken: string
  refreshToken: string
}

export const getAccessToken = (): string | undefined => browserStorage.get('accessToken')
export const getRefreshToken = (): string | undefined => browserStorage.get('refreshToken')

export const saveTokens = (tokens: Tokens): void => {
  browserStorage.set('accessToken', tokens.accessToken)
  browserStorage.set('refreshToken', tokens.refreshToken)
}

export const clearTokens = (): void => {
  browserStorage.remove('accessToken')
  browserStorage.remove('refreshToken')
}
