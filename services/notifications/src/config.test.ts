import { readConfig } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { configSchema } from './config.ts'

const environment = {
  PORT: '8080',
  METRICS_PORT: '9090',
  MONGO_URL: 'mongodb://mongodb.test:27017/confetti',
  RABBITMQ_URL: 'amqp://rabbitmq.test:5672',
  AUTH_URL: 'http://auth.test',
  EVENTS_URL: 'http://events.test',
  SHELL_URL: 'http://shell.test',
  API_URL: 'http://api.test',
  UNSUBSCRIBE_SECRET: 's'.repeat(32),
}
const SMTP_URL = 'smtp://mail.test:25'
const read = (variables: Record<string, string>) => readConfig(configSchema, { ...environment, ...variables })

test('When auth sends mail and there is no mail server, then the service does not start', () => {
  expect(() => read({ MAIL: 'on', SMTP_URL: '' })).toThrow(
    'SMTP_URL: is required while MAIL is on. Without a mail server set MAIL=off of auth and notifications',
  )
})

test.each([{ MAIL: 'on', SMTP_URL }, { MAIL: 'off' }, { MAIL: 'off', SMTP_URL }, { SMTP_URL }, {}])(
  'With %j the service starts',
  (variables) => {
    expect(read(variables)).toMatchObject(variables)
  },
)
