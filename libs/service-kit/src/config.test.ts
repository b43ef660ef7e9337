import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { origins, readConfig } from './config.ts'

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
