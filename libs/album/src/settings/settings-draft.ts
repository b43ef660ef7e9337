import type { SettingsEdits } from './settings-form.ts'

// Per user and tab: the next user on this device does not see it, and it is deleted with the tab.
const keyOf = (userId: string, eventId: string): string => `settingsDraft:${userId}:${eventId}`

/** The edits of an event's settings that this user has stored in this tab. */
export const loadSettingsDraft = (userId: string, eventId: string): SettingsEdits => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(userId, eventId)) ?? 'null')
    if (
      typeof stored === 'object' &&
      stored &&
      Object.values(stored).every((value) => typeof value === 'string')
    )
      return stored
  } catch {
    // Storage is unavailable, or its content is not a draft.
  }
  return {}
}

/** Stores edits so that they survive a reload, an expired session and navigation; removes them if there are none. */
export const saveSettingsDraft = (userId: string, eventId: string, edits: SettingsEdits): void => {
  try {
    if (Object.keys(edits).length > 0) sessionStorage.setItem(keyOf(userId, eventId), JSON.stringify(edits))
    else sessionStorage.removeItem(keyOf(userId, eventId))
  } catch {
    // Without storage the edits last as long as the page.
  }
}
