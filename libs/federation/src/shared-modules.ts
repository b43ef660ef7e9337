import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// Packages of this repository that the shell shares with remotes. The shell's copy runs in every remote, also in those
// that were built long before or after it, and a remote requires at least the version that it was built with. A new
// export or option raises the minor version; a removed, renamed or changed export raises the major version.
export const sharedModules = {
  '@confetti/api-client': {
    version: '2.5.0',
    exports: [
      'ApiError',
      'GENERIC_ERROR_MESSAGE',
      'browserStorage',
      'checkDownload',
      'clearTokens',
      'createApiClient',
      'createNetworkError',
      'eventPasses',
      'getAccessToken',
      'getErrorMessage',
      'getGuestToken',
      'getRefreshToken',
      'isNotFound',
      'onLoading',
      'parseRetryAfterMs',
      'saveTokens',
      'sendBody',
      'sendForm',
      'untilAborted',
      'wait',
      'withTimeout',
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
    version: '2.2.0',
    exports: [
      'api',
      'changePassword',
      'getRole',
      'initSession',
      'initTheme',
      'register',
      'setDefaultTheme',
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

export const readVersion = (packageFile: string): string =>
  (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version

/** Creates a function that returns the version of a package as resolved from `folder`. */
const createVersionResolver = (folder: string) => {
  const require = createRequire(join(folder, 'package.json'))
  return (name: string): string => readVersion(require.resolve(`${name}/package.json`))
}

const singleton = (version: string) => ({
  singleton: true,
  version,
  requiredVersion: `^${version.split('.')[0]}`,
})

/** Packages of this repository: a remote requires the version that it was built with, or a newer minor version. */
const internalSingleton = ({ version }: { version: string }) => ({
  singleton: true,
  version,
  requiredVersion: `^${version}`,
})

/** The modules that are loaded once per page, because two copies would not share state. The shell provides them. */
export const getSharedModules = (folder: string) => {
  const resolveVersion = createVersionResolver(folder)
  return {
    react: singleton(resolveVersion('react')),
    'react/jsx-runtime': singleton(resolveVersion('react')),
    'react-dom': singleton(resolveVersion('react-dom')),
    'react-hot-toast/headless': singleton(resolveVersion('react-hot-toast')),
    zustand: singleton(resolveVersion('zustand')),
    // Only the parts of react-router-dom that pages use: a shared package is not tree-shaken.
    '@confetti/federation/router': singleton(resolveVersion('react-router-dom')),
    // Shared, so that `instanceof ApiError` works in every remote.
    '@confetti/api-client': internalSingleton(sharedModules['@confetti/api-client']),
    // Shared, so that the language changes everywhere at once.
    '@confetti/i18n': internalSingleton(sharedModules['@confetti/i18n']),
    '@confetti/session': internalSingleton(sharedModules['@confetti/session']),
  }
}

/** The same for a remote: the shell's copies are used, and a remote brings none of its own. */
export const withoutCopies = (modules: ReturnType<typeof getSharedModules>) =>
  Object.fromEntries(
    Object.entries(modules).map(([name, module]) => [name, { ...module, import: false as const }]),
  )
