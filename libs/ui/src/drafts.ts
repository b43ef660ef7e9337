// Drafts of forms, per user and tab: the next user on this device does not see them, and they are deleted with the tab.

/** Returns what is stored under a key; undefined if nothing is. */
export const readDraft = (key: string): unknown => {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? 'null') as unknown) ?? undefined
  } catch {
    // Storage is unavailable, or its content is not a draft.
    return undefined
  }
}

/** Stores a draft so that it survives a reload, an expired session and navigation; removes it if it is undefined. */
export const writeDraft = (key: string, draft: object | undefined): void => {
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}
