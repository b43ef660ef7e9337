/** How long a wall shows a photo unless its link says otherwise. */
export const DEFAULT_WALL_SECONDS = 8
export const wallSeconds = [4, DEFAULT_WALL_SECONDS, 12, 20, 40] as const

export interface WallOptions {
  seconds: number
  hasNames: boolean
}

/** The link to a live wall with options; without those that are the default. */
export const addWallOptions = (link: string, { seconds, hasNames }: WallOptions): string => {
  const url = new URL(link)
  if (seconds !== DEFAULT_WALL_SECONDS) url.searchParams.set('seconds', String(seconds))
  if (!hasNames) url.searchParams.set('names', 'off')
  return url.href
}
