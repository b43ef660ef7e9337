import { browserStorage } from '@confetti/api-client'

/** Set in local storage where the browser may have unsent files, so that other visits do not open its database. */
export const HAS_UNSENT_FILES_KEY = 'hasUnsentFiles'

/** Whether the browser may have unsent files, of earlier visits or shared with the app. */
export const hasUnsentFiles = (): boolean => browserStorage.get(HAS_UNSENT_FILES_KEY) !== undefined
