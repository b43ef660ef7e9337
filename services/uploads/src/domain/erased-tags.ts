/** The tags of deleted events for which guests may still have links: what they send is removed again. */
export interface ErasedTags {
  add: (tag: string, linksExpireAt: Date) => Promise<void>
  list: () => Promise<string[]>
  /** Removes those whose links expired before `before`. */
  removeExpired: (before: Date) => Promise<void>
}
