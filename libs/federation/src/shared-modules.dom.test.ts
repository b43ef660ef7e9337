import { expect, test } from '@jest/globals'
import { sharedModules } from './shared-modules.ts'

const importModule = {
  '@confetti/api-client': () => import('@confetti/api-client'),
  '@confetti/i18n': () => import('@confetti/i18n'),
  '@confetti/session': () => import('@confetti/session'),
}

test.each(Object.keys(importModule) as (keyof typeof importModule)[])(
  'When the exports of %s change, then its list and its version have to change as well',
  async (name) => {
    expect(Object.keys(await importModule[name]()).sort()).toEqual([...sharedModules[name].exports].sort())
  },
)
