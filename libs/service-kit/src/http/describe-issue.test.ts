import {
  changePassword,
  contactAdmin,
  createEvent,
  inviteUser,
  setMyUploadsVisibility,
  updateEvent,
  type RouteContract,
} from '@confetti/contracts'
import { expect, test } from '@jest/globals'
import { describeIssue } from './error-response.ts'

const event = {
  name: 'Wedding',
  startDate: '2030-06-01',
  endDate: '2030-06-02',
  eventFor: '0123456789abcdef01234567',
}
const field = (name: string, code: string, limit?: number) => ({
  field: name,
  code,
  ...(limit !== undefined && { limit }),
})
const required = (name: string) => field(name, 'required')

const find = ({ body }: RouteContract, input: unknown) =>
  body?.safeParse(input).error?.issues.map((issue) => {
    const { message: _, ...rest } = describeIssue(issue, input)
    return rest
  })

test.each<[string, RouteContract, unknown, object[]]>([
  ['all of a message', contactAdmin, {}, [required('subject'), required('message')]],
  ['a text of spaces', contactAdmin, { subject: ' ', message: 'x' }, [required('subject')]],
  ['a null', contactAdmin, { subject: null, message: 'x' }, [required('subject')]],
  ['a number for a text', contactAdmin, { subject: 7, message: 'x' }, [field('subject', 'malformed')]],
  [
    'a long subject',
    contactAdmin,
    { subject: 'x'.repeat(201), message: 'x' },
    [field('subject', 'too_long', 200)],
  ],
  [
    'a long password',
    changePassword,
    { currentPassword: 'x', newPassword: 'x'.repeat(1_025) },
    [field('newPassword', 'too_long', 1_024)],
  ],
  ['an email address', inviteUser, { email: 'x', role: 'user' }, [field('email', 'malformed')]],
  ['no role', inviteUser, { email: 'a@example.com' }, [required('role')]],
  ['an unknown role', inviteUser, { email: 'a@example.com', role: 'x' }, [field('role', 'malformed')]],
  ['a day', createEvent, { ...event, startDate: '1.6.2030' }, [field('startDate', 'malformed')]],
  ['a far day', createEvent, { ...event, endDate: '9999-01-01' }, [field('endDate', 'date_too_late')]],
  ['reversed days', createEvent, { ...event, endDate: '2030-05-01' }, [field('endDate', 'end_before_start')]],
  ['no limit', updateEvent, { settings: { maxFiles: 0 } }, [field('settings.maxFiles', 'too_small', 1)]],
  ['half a file', updateEvent, { settings: { maxFiles: 1.5 } }, [field('settings.maxFiles', 'malformed')]],
  [
    'many days',
    updateEvent,
    { settings: { keepDays: 40_000 } },
    [field('settings.keepDays', 'too_big', 36_500)],
  ],
  [
    'a translation into no language',
    updateEvent,
    { settings: { translations: { '!': {} } } },
    [field('settings.translations.!', 'malformed')],
  ],
  ['no organisers', updateEvent, { organisers: [] }, [required('organisers')]],
  [
    'many uploads',
    setMyUploadsVisibility,
    { uploadIds: Array.from({ length: 1_001 }, () => event.eventFor), visibility: 'hidden' },
    [field('uploadIds', 'too_big', 1_000)],
  ],
])(
  'When a request has %s wrong, then the error has the code of each field',
  (_, contract, input, expected) => {
    expect(find(contract, input)).toEqual(expected)
  },
)
