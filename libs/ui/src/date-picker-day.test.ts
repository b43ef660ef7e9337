import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'

// The time zone of a process comes from its environment, so each zone is tested in a child process.
const script = `
  const { dayToDate, dateToDay } = await import(process.argv[1])
  const mismatches = []
  for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2029, 0, 1); day += 86_400_000) {
    const iso = new Date(day).toISOString().slice(0, 10)
    const { year, month, date } = { year: +iso.slice(0, 4), month: +iso.slice(5, 7) - 1, date: +iso.slice(8) }
    const converted = dayToDate(iso)
    if (converted.getFullYear() !== year || converted.getMonth() !== month || converted.getDate() !== date) mismatches.push(iso)
    for (const [hour, minute] of [[0, 0], [12, 0], [23, 59]])
      if (dateToDay(new Date(year, month, date, hour, minute)) !== iso) mismatches.push(iso + ' at ' + hour)
  }
  process.stdout.write(JSON.stringify({ zone: new Intl.DateTimeFormat().resolvedOptions().timeZone, mismatches }))`

// The westernmost and easternmost zones, and two that change clocks at midnight, where some days have no midnight.
const zones = ['Pacific/Pago_Pago', 'America/Santiago', 'UTC', 'Africa/Cairo', 'Pacific/Kiritimati']

test.each(zones)(
  'When the time zone is %s, then each day of three years converts to a date and back',
  (zone) => {
    const modulePath = new URL('date-picker-day.ts', import.meta.url).href
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, modulePath], {
      env: { TZ: zone },
      encoding: 'utf8',
    })
    expect(JSON.parse(output)).toEqual({ zone, mismatches: [] })
  },
)
