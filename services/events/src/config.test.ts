import { readConfig } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { configSchema } from './config.ts'

const environment = {
  PORT: '0',
  METRICS_PORT: '0',
  MONGO_URL: 'mongodb://127.0.0.1/confetti-events',
  RABBITMQ_URL: 'amqp://127.0.0.1',
  AUTH_URL: 'http://127.0.0.1:3001',
  AUTH_JWKS_URL: 'http://127.0.0.1:3001/.well-known/jwks.json',
  SHELL_URL: 'https://confetti.example',
}
const read = (variables: Record<string, string>) => readConfig(configSchema, { ...environment, ...variables })

test('When organisers had to keep events for longer than they may, then the service does not start', () => {
  expect(() => read({ MIN_KEEP_DAYS: '31', MAX_KEEP_DAYS: '30' })).toThrow(
    'The configuration is invalid.\n  MAX_KEEP_DAYS: is less than MIN_KEEP_DAYS',
  )
})

test.each([
  {},
  { MIN_KEEP_DAYS: '30' },
  { MAX_KEEP_DAYS: '30' },
  { MIN_KEEP_DAYS: '30', MAX_KEEP_DAYS: '30' },
])('When %j is configured, then the service starts', (variables) => {
  expect(read(variables)).toMatchObject(
    Object.fromEntries(Object.entries(variables).map(([name, days]) => [name, Number(days)])),
  )
})
