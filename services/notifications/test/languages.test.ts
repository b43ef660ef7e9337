import {
  acceptInvitation,
  forgotPassword,
  inviteUser,
  login,
  register,
  showUnsubscribePage,
  type MessageData,
} from '@confetti/contracts'
import { call, eventually, newAdmin, randomEmail, type ReceivedMail } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId, newUploadId, startHarness, type Harness } from './harness.ts'

const DAY_MS = 24 * 3_600_000

let harness: Harness
let auth: string
beforeAll(async () => {
  harness = await startHarness({ environment: { DIGEST_INTERVAL_MS: '1000' } })
  auth = harness.system.url('auth')
})
afterAll(() => harness.stop())

const password = 'my password'
const inLanguage = (tags: string) => ({ headers: { 'Accept-Language': tags } })
const registerIn = async (tags: string): Promise<{ _id: string; email: string }> => {
  const { body } = await call(auth, register, {
    body: { email: randomEmail(), password },
    ...inLanguage(tags),
  })
  return body.user as { _id: string; email: string }
}
/** Waits until the service knows the language of an account. */
const waitForLanguage = (_id: string, language: string) =>
  eventually(() => harness.collection('users').findOne({ _id, language }), `the language ${language}`)

const addUploads = async (
  eventId: string,
  types: readonly MessageData<'upload.completed.v1'>['contentType'][],
): Promise<void> => {
  for (const contentType of types)
    await harness.publish('upload.completed.v1', { uploadId: newUploadId(), eventId, contentType, size: 1 })
}

const expectMail = (mail: ReceivedMail, lang: string, dir: 'ltr' | 'rtl') => {
  expect(mail.html).toContain(`<html lang="${lang}" dir="${dir}">`)
  expect(mail.html).toContain(`<div lang="${lang}" dir="${dir}"`)
}

test('When a member signs in with another language, then the mails to them are in it', async () => {
  const user = await registerIn('de-AT,de;q=0.9,en;q=0.8')
  await call(auth, forgotPassword, { body: { email: user.email } })
  const reset = await harness.waitForMail(user.email)
  expect(reset.subject).toBe('Neues Passwort wählen')
  expect(reset.text).toContain('Jemand hat für dein Konto bei Confetti ein neues Passwort angefordert.')
  expectMail(reset, 'de', 'ltr')

  await call(auth, login, { body: { email: user.email, password }, ...inLanguage('en;q=0.5, he-IL') })
  await waitForLanguage(user._id, 'he')
  const event = await harness.newEvent([user])
  await addUploads(event._id, ['image/jpeg'])
  const digest = await harness.waitForMail(user.email, 2)
  expect(digest.subject).toBe('תמונה חדשה באירוע ״\u2068Anna & Ben\u2069״')
  expect(digest.text).toContain('לאירוע ״\u2068Anna & Ben\u2069״')
  expect(digest.html).toContain('<bdi>Anna &amp; Ben</bdi>')
  expectMail(digest, 'he', 'rtl')
})

test('When each organiser has a language, then each gets the same digest in their own', async () => {
  const organisers = [await registerIn('pl'), await registerIn('sv')] as const
  await waitForLanguage(organisers[0]._id, 'pl')
  const event = await harness.newEvent(organisers)
  await addUploads(event._id, ['video/mp4'])
  expect((await harness.waitForMail(organisers[0].email)).subject).toBe(
    '1 nowy film w wydarzeniu „Anna & Ben”',
  )
  // As an account of the version before, whose language is not known.
  expect((await harness.waitForMail(organisers[1].email)).subject).toBe('1 new video in “Anna & Ben”')
})

test('When an admin invites somebody, then the invitation is in the language of the admin', async () => {
  const admin = await newAdmin(harness.system, auth)
  const { email } = admin.user
  await call(auth, login, { body: { email, password: admin.password }, ...inLanguage('fr-CH') })
  const invited = randomEmail()
  await call(auth, inviteUser, { token: admin.token, body: { email: invited, role: 'user' } })
  const mail = await harness.waitForMail(invited)
  expect(mail.subject).toBe('Vous avez reçu une invitation pour Confetti')

  const [, token = ''] = /#token=(\S+)/.exec(mail.text) ?? []
  await call(auth, acceptInvitation, { body: { token, password }, ...inLanguage('ja') })
  await call(auth, forgotPassword, { body: { email: invited } })
  expect((await harness.waitForMail(invited, 2)).subject).toBe('新しいパスワードの設定')
})

test('When an organiser writes to the admins, then both read the mails in their own languages', async () => {
  const admin = await newAdmin(harness.system, auth)
  const { _id, email } = admin.user
  await call(auth, login, { body: { email, password: admin.password }, ...inLanguage('nl') })
  await waitForLanguage(_id, 'nl')
  const organiser = await registerIn('ar')
  await waitForLanguage(organiser._id, 'ar')
  const contact = {
    _id: newId(),
    subject: 'سؤال',
    message: 'مرحبًا',
    createdAt: new Date().toISOString(),
    userId: organiser._id,
    userEmail: organiser.email,
  }
  await harness.publish('contact.received.v1', contact)
  expect((await harness.waitForMail(email)).subject).toBe(`Bericht van ${organiser.email}: \u2068سؤال\u2069`)
  await harness.publish('contact.replied.v1', {
    ...contact,
    _id: newId(),
    contactId: contact._id,
    message: 'Yes.',
  })
  const reply = await harness.waitForMail(organiser.email)
  expect(reply.text).toContain('رد مشرفو \u2068Confetti\u2069 على رسالتك:')
  expectMail(reply, 'ar', 'rtl')
})

test('When an event is going to be deleted, then the date is that of its time zone', async () => {
  const user = await registerIn('es')
  await waitForLanguage(user._id, 'es')
  const deleteAt = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 5 * 3_600_000)
  await harness.newEvent([user], { deleteAt: deleteAt.toISOString(), timeZone: 'America/Los_Angeles' })
  const date = deleteAt.toLocaleDateString('es', { dateStyle: 'long', timeZone: 'America/Los_Angeles' })
  const mail = await harness.waitForMail(user.email)
  expect(mail.text).toContain(`El ${date} (mañana), «Anna & Ben» se eliminará con todas sus fotos y vídeos.`)
})

test.each([
  ['ar-EG, en;q=0.9', 'ar', 'rtl', 'إيقاف هذه الرسائل'],
  ['it', 'it', 'ltr', 'Non ricevere più queste email'],
  ['sv', 'en', 'ltr', 'Stop these mails'],
])('When the browser prefers %j, then the page to unsubscribe is in %s', async (tags, lang, dir, action) => {
  const url = new URL(showUnsubscribePage.path, harness.system.url('notifications'))
  const page = await (await fetch(url, inLanguage(tags))).text()
  expect(page).toContain(`<html lang="${lang}" dir="${dir}">`)
  expect(page).toContain(`<button type="button">${action}</button>`)
})
