// Packages of this repository that the shell shares with remotes. The shell's copy runs in every remote, also in those
// that were built long before or after it, and a remote requires at least the version that it was built with. A new
// export or option raises the minor version; a removed, renamed or changed export raises the major version.
export const sharedModules = {
  '@confetti/api-client': {
    version: '2.3.0',
    exports: [
      'ApiError',
      'GENERIC_ERROR_MESSAGE',
      'browserStorage',
      'checkDownload',
      'clearTokens',
      'createApiClient',
      'getAccessToken',
      'getErrorMessage',
      'getGuestToken',
      'getRefreshToken',
      'onLoading',
      'saveTokens',
      'sendForm',
    ],
  },
  '@confetti/i18n': {
    version: '1.0.0',
    exports: [
      'addEnglishTexts',
      'createTexts',
      'getDateLocale',
      'getDirection',
      'getFormatLocale',
      'getLocale',
      'loadCatalogues',
      'locales',
      'setLocale',
      'suggestLocale',
      'useLocale',
    ],
  },
  '@confetti/session': {
    version: '2.1.0',
    exports: [
      'api',
      'changePassword',
      'getRole',
      'initSession',
      'initTheme',
      'register',
      'setTheme',
      'signIn',
      'signOut',
      'signOutEverywhere',
      'site',
      'toggleTheme',
      'useSession',
      'useTheme',
    ],
  },
} as const
