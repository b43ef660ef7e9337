/** @jest-environment jsdom */
import { expect, test } from '@jest/globals'
import { sharedByUs } from './shared-by-us.ts'

const modules = {
  '@confetti/api-client': () => import('@confetti/api-client'),
  '@confetti/session': () => import('@confetti/session'),
}

test.each(Object.keys(modules) as (keyof typeof modules)[])(
  'When %s exports more or less than it did, then its version and its list have to say so',
  async (name) => {
    expect(Object.keys(await modules[name]()).sort()).toEqual([...sharedByUs[name].exports].sort())
  },
)
