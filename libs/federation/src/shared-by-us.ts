// The shell's copy of these runs in every remote, also in those that were built long before or after it. What a
// remote was built with it asks for at least: so the shell with a new function must be there before the remote that
// calls it. A new export raises the second number; one that goes, or means something else, raises the first.
export const sharedByUs = {
  '@confetti/api-client': {
    version: '1.0.0',
    exports: [
      'ApiError',
      'GENERIC_MESSAGE',
      'accessToken',
      'createApiClient',
      'forgetTokens',
      'keepTokens',
      'messageOf',
      'onLoading',
      'refreshToken',
      'sendForm',
      'stored',
    ],
  },
  '@confetti/session': {
    version: '1.0.0',
    exports: [
      'api',
      'openSession',
      'openTheme',
      'register',
      'roleOf',
      'setTheme',
      'signIn',
      'signOut',
      'site',
      'toggleTheme',
      'useSession',
      'useTheme',
    ],
  },
} as const
