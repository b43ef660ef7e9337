/** Set in local storage where the browser may have unsent files, so that other visits do not open its database. */
export const HAS_UNSENT_FILES_KEY = 'hasUnsentFiles'
