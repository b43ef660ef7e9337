// What jsdom lacks of a browser and our libraries ask for; a test in Node has no window and needs none of it.
import { TextDecoder, TextEncoder } from 'node:util'

if (typeof window !== 'undefined') {
  Object.assign(globalThis, { TextDecoder, TextEncoder, IS_REACT_ACT_ENVIRONMENT: true })
  window.matchMedia ??= (media) => ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
  window.HTMLElement.prototype.scrollIntoView ??= () => undefined
  window.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }

  // Only bounds a test that has failed already: a busy machine is slow.
  const { configure } = await import('@testing-library/dom')
  configure({ asyncUtilTimeout: 20_000 })
}
