import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'

// A process takes its time zone from its environment, so each zone gets one of its own.
const script = `
  const { momentOf, dayOf } = await import(process.argv[1])
  const wrong = []
  for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2029, 0, 1); day += 86_400_000) {
    const written = new Date(day).toISOString().slice(0, 10)
    const { year, month, date } = { year: +written.slice(0, 4), month: +written.slice(5, 7) - 1, date: +written.slice(8) }
    const shown = momentOf(written)
    if (shown.getFullYear() !== year || shown.getMonth() !== month || shown.getDate() !== date) wrong.push(written)
    for (const [hour, minute] of [[0, 0], [12, 0], [23, 59]])
      if (dayOf(new Date(year, month, date, hour, minute)) !== written) wrong.push(written + ' at ' + hour)
  }
  process.stdout.write(JSON.stringify({ zone: new Intl.DateTimeFormat().resolvedOptions().timeZone, wrong }))`

// Far west, far east, and two where clocks change at midnight, so that some days have none.
const zones = ['Pacific/Pago_Pago', 'America/Santiago', 'UTC', 'Africa/Cairo', 'Pacific/Kiritimati']

test.each(zones)(
  'When clocks show the time of %s, then each day of three years stays the same day',
  (zone) => {
    const bridge = new URL('date-picker-day.ts', import.meta.url).href
    const told = execFileSync(process.execPath, ['--input-type=module', '-e', script, bridge], {
      env: { TZ: zone },
      encoding: 'utf8',
    })
    expect(JSON.parse(told)).toEqual({ zone, wrong: [] })
  },
)
