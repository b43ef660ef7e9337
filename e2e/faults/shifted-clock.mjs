import { readFileSync } from 'node:fs'

// Loaded into a service by NODE_OPTIONS=--import: shifts its clock by the milliseconds in CLOCK_SHIFT_FILE.

const shiftMs = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8'))
const trueNow = Date.now
Date.now = () => trueNow() + shiftMs
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [Date.now()] : given, newTarget),
  apply: () => new Date().toString(),
})
Date.prototype.constructor = Date
