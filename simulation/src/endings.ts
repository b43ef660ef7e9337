import { LATE_MS } from './world.ts'

/** Something that people have until they or somebody else ends it. */
export type Endable<T> = T & {
  /** 'uncertain': something may end it. */
  state: 'valid' | 'uncertain' | 'ended'
}

/** What people have been given, and what of it has ended. */
export const createEndables = <T extends object>() => {
  const items: Endable<T>[] = []
  const endings = new Set<(item: T) => boolean>()

  /** Somebody was given this, perhaps by what ends the others. */
  const add = (item: T, given?: (item: T) => boolean): void => {
    const isEnding = [...endings].some((isConcerned) => isConcerned !== given && isConcerned(item))
    items.push({ ...item, state: isEnding ? 'uncertain' : 'valid' })
  }

  return {
    items,

    add,

    /** Somebody ends all of these: `work` says whether that was answered, and adds what they are given instead. */
    whileEnding: async (
      isConcerned: (item: T) => boolean,
      work: (addInstead: (item: T) => void) => Promise<boolean>,
    ): Promise<void> => {
      const concerned = items.filter(isConcerned)
      for (const item of concerned) if (item.state === 'valid') item.state = 'uncertain'
      endings.add(isConcerned)
      try {
        if (await work((item) => add(item, isConcerned))) for (const item of concerned) item.state = 'ended'
      } finally {
        setTimeout(() => endings.delete(isConcerned), LATE_MS)
      }
    },
  }
}
