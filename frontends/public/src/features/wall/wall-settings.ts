const DEFAULT_SECONDS = 8
const MIN_SECONDS = 3
const MAX_SECONDS = 120

export interface WallSettings {
  /** How long a photo is shown. */
  slideMs: number
  /** Whether credits are shown. */
  hasNames: boolean
}

/** Reads the settings of a wall from the query of its address: `?seconds=10&names=off`. */
export const parseWallSettings = (query: URLSearchParams): WallSettings => {
  const seconds = Number(query.get('seconds')) || DEFAULT_SECONDS
  return {
    slideMs: Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, seconds)) * 1_000,
    hasNames: query.get('names') !== 'off',
  }
}
