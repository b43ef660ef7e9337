import {
  acceptInvitation,
  eraseUser,
  inviteUser,
  listAccounts,
  login,
  refresh,
  register,
} from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  randomEmail,
  recordMessages,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import { connectDatabase, messagesOf, tokenOf, waitForMail } from './account-fixtures.ts'

let system: TestSystem
let recorded: RecordedMessages
let auth: string
let admin: Account
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth'], environment: { auth: { MAIL: 'on' } } })
  auth = system.url('auth')
  recorded = await recordMessages(system)
  admin = await newAdmin(system, auth)
})
afterAll(async () => {
  await recorded.close()
  await system.stop()
})

const inLanguage = (tags: string) => ({ headers: { 'Accept-Language': tags } })
const registerIn = async (tags: string) => {
  const credentials = { email: randomEmail(), password: 'my password' }
  const { body } = await call(auth, register, { body: credentials, ...inLanguage(tags) })
  return { credentials, user: body.user as Account['user'], refreshToken: body.refreshToken as string }
}
const languagesOf = (userId: string) =>
  messagesOf(recorded, 'user.changed.v1')
    .filter(({ _id }) => _id === userId)
    .map(({ language }) => language)

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, sv, pt-PT;q=0.7', 'pt-BR'],
  ['zh-TW', 'zh-Hans'],
  ['sv', undefined],
  ['*', undefined],
  ['de;q=0', undefined],
  [';;,q=', undefined],
])(
  'When somebody registers with the languages %j, then their account has the language %s',
  async (tags, language) => {
    const { user } = await registerIn(tags)
    const message = await eventually(() =>
      messagesOf(recorded, 'user.registered.v1').find(({ _id }) => _id === user._id),
    )
    expect(message).toEqual({ ...user, ...(language && { language }) })
  },
)

test('When a member signs in with another language, then it is stored and published, once, and their sessions stay', async () => {
  const { credentials, user, refreshToken } = await registerIn('de')
  for (const tags of ['de', 'sv', 'uk-UA,en', 'uk', 'ja'])
    expect((await call(auth, login, { body: credentials, ...inLanguage(tags) })).body.user).toEqual(user)
  await eventually(() => languagesOf(user._id).includes('ja'))
  expect(languagesOf(user._id)).toEqual(['uk', 'ja'])
  expect((await call(auth, refresh, { body: { refreshToken } })).status).toBe(200)
  const { body } = await call(auth, listAccounts, { token: admin.token, query: { search: user.email } })
  expect(body.users[0]).not.toHaveProperty('language')
})

test('When somebody is invited, then the mail is in the language of the admin, until they choose their own', async () => {
  const { email } = admin.user
  await call(auth, login, { body: { email, password: admin.password }, ...inLanguage('fr-CH') })
  const invited = randomEmail()
  await call(auth, inviteUser, { token: admin.token, body: { email: invited, role: 'user' } })
  const mail = await waitForMail(recorded, { email: invited, kind: 'invitation' })
  expect(mail.language).toBe('fr')
  const body = { token: tokenOf(mail.link), password: 'my password' }
  expect((await call(auth, acceptInvitation, { body, ...inLanguage('tr') })).status).toBe(200)
  await eventually(() => languagesOf(mail.userId).includes('tr'))
})

test('When an account is erased, then its language is removed', async () => {
  const { user } = await registerIn('it')
  await call(auth, eraseUser, { token: admin.token, params: { userId: user._id } })
  const database = await connectDatabase(system)
  const stored = await database.collection('users').findOne({ _id: new mongoose.Types.ObjectId(user._id) })
  await database.close()
  expect(stored).toMatchObject({ erased: true })
  expect(stored).not.toHaveProperty('language')
})
