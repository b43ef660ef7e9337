// Browser APIs that jsdom lacks and the libraries need.
import { configure } from '@testing-library/dom'
import { TextDecoder, TextEncoder } from 'node:util'

Object.assign(globalThis, { TextDecoder, TextEncoder, IS_REACT_ACT_ENVIRONMENT: true })
window.matchMedia ??= (media) => ({
  media,
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
})
window.HTMLElement.prototype.scrollIntoView ??= () => undefined
window.HTMLDialogElement.prototype.showModal ??= function () {
  this.open = true
}
window.HTMLDialogElement.prototype.close ??= function () {
  this.open = false
  this.dispatchEvent(new Event('close'))
}
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') [...document.querySelectorAll('dialog[open]')].at(-1)?.close()
})
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// Generous, because the machine may be busy. Passing tests do not wait for it.
configure({ asyncUtilTimeout: 20_000 })
