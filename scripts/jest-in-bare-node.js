import { registerHooks } from 'node:module'
import { addEventHandler } from 'jest-circus'
import pTimeout from 'p-timeout'
import { TEST_TIMEOUT_MS } from './test-layers.ts'

// What the layers that run in bare Node need of Jest.

const globals = new URL('jest-globals.js', import.meta.url).href
// The package itself throws outside of Jest's module system.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: globals, format: 'module', shortCircuit: true }
      : next(specifier, context),
})

// The real ones, also while a test has fake timers.
const customTimers = { setTimeout, clearTimeout }
// The runner sets no time limits.
const withTimeLimit =
  (fn, milliseconds = TEST_TIMEOUT_MS) =>
  () =>
    pTimeout(Promise.resolve().then(fn), { milliseconds, customTimers })
addEventHandler(({ name, timeout }, { currentDescribeBlock: { children, hooks } }) => {
  const added = name === 'add_test' ? children.at(-1) : name === 'add_hook' ? hooks.at(-1) : undefined
  if (added?.fn) added.fn = withTimeLimit(added.fn, timeout)
})
