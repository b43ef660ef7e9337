import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { positiveMilliseconds, origins, readConfig } from './config.ts'

const schema = z.object({ PORT: z.coerce.number().int(), SECRET: z.string().min(32), SHELL_ORIGINS: origins })

test('When variables are missing, empty or wrong, then each is named and no value is shown', () => {
  const read = () => readConfig(schema, { PORT: 'eighty', SECRET: 'hunter2', SHELL_ORIGINS: '' })
  expect(read).toThrow(/PORT: .*\n.*SECRET: .*\n.*SHELL_ORIGINS is not set/)
  expect(read).not.toThrow(/hunter2|eighty/)
})

test('When addresses of pages are given, then their origins are read', () => {
  const { SHELL_ORIGINS } = readConfig(schema, {
    PORT: '1',
    SECRET: 's'.repeat(32),
    SHELL_ORIGINS: 'https://confetti.test/, http://localhost:3000/upload',
  })
  expect(SHELL_ORIGINS).toEqual(['https://confetti.test', 'http://localhost:3000'])
})

test('When a duration exceeds the maximum delay of a timer, then it is rejected', () => {
  const read = (PAUSE_MS: string) => readConfig(z.object({ PAUSE_MS: positiveMilliseconds }), { PAUSE_MS })
  expect(read('1500000000')).toEqual({ PAUSE_MS: 1_500_000_000 })
  for (const time of ['3000000000', '0', '-1', 'soon']) expect(() => read(time)).toThrow(/PAUSE_MS: /)
})
