import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newEvent, newOrganiser, sendFiles, uniquePhoto } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { listUploads } from './harness.ts'
import { waitForTitle } from './screen.ts'
import { joinSite, type Site } from './site.ts'
import { findUnreadableTexts } from './text-layout.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const phone = { viewport: { width: 320, height: 640 } }
const createEvent = () => newEvent(site.api, site.admin, site.organiser)
const documentOf = (page: Page) =>
  page.evaluate(() => ({ lang: document.documentElement.lang, dir: document.documentElement.dir }))
const photo = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await uniquePhoto() })

test('When a guest has an Arabic phone, then every page from the form to the home page is Arabic, from right to left', async () => {
  const event = await createEvent()
  const page = await site.newPage({ ...phone, locale: 'ar-EG' })
  const texts: string[] = []
  page.on('request', (request) => {
    const locale = /locale-([\w-]+)-json\./.exec(request.url())?.[1]
    if (locale) texts.push(locale)
  })
  await page.goto(`/upload?eventId=${event._id}`, { waitUntil: 'commit' })
  // Before any code of the page has run.
  await page.waitForFunction(() => document.documentElement.dir === 'rtl')
  await page.getByLabel('اسمك').fill('Marta مارتا')
  expect(await findUnreadableTexts(page)).toEqual([])
  await page.setInputFiles('input[type=file]', [await photo('boat.jpg'), await photo('قارب.jpg')])
  await page.getByRole('button', { name: 'إرسال', exact: true }).click()
  await page.getByRole('heading', { name: 'شكر' }).waitFor()
  expect(await documentOf(page)).toEqual({ lang: 'ar', dir: 'rtl' })
  expect(await findUnreadableTexts(page)).toEqual([])
  expect([...new Set(texts)]).toEqual(['ar'])
  expect((await listUploads(site, event._id)).map(({ originalName }) => originalName).toSorted()).toEqual([
    'boat.jpg',
    'قارب.jpg',
  ])
  await page.getByRole('link', { name: 'الرئيسية' }).click()
  await page.getByRole('heading', { name: 'إرسال الصور برمز QR' }).waitFor()
  expect(await documentOf(page)).toEqual({ lang: 'ar', dir: 'rtl' })
  expect(await findUnreadableTexts(page)).toEqual([])
})

test('When an organiser has an Arabic browser, then signing in, photos, settings and signing out are Arabic, from right to left', async () => {
  const organiser = await newOrganiser(site.api)
  const event = await newEvent(site.api, site.admin, organiser)
  await sendFiles(site.api, event._id, [{ name: 'قارب.jpg', bytes: await uniquePhoto(), type: 'image/jpeg' }])
  const page = await site.newPage({ ...phone, locale: 'ar' })
  const findProblems = async () => [await documentOf(page), ...(await findUnreadableTexts(page))]
  const none = [{ lang: 'ar', dir: 'rtl' }]

  await page.goto('/login')
  await page.getByLabel('البريد الإلكتروني').fill(organiser.user.email)
  await page.getByLabel('كلمة المرور', { exact: true }).fill(organiser.password)
  await page.getByRole('button', { name: 'تسجيل الدخول' }).click()
  await page.getByRole('heading', { name: 'مرحبًا بك في' }).waitFor()
  expect(await findProblems()).toEqual(none)

  await page.goto('/myevents')
  await page.getByRole('link', { name: 'عرض الصور' }).click()
  await page.getByText('قارب.jpg').waitFor()
  await waitForTitle(page, 'الصور')
  expect(await findProblems()).toEqual(none)

  await page.getByRole('link', { name: 'الإعدادات' }).click()
  await page.getByRole('radio', { name: 'مغلق' }).check({ force: true })
  await page.getByRole('button', { name: 'حفظ الإعدادات' }).click()
  await page.getByText('تم حفظ الإعدادات', { exact: true }).waitFor()
  await page.getByText('الإرسال مغلق: لا يرى الضيوف نموذج الإرسال.').waitFor()
  expect(await findProblems()).toEqual(none)

  await page.getByRole('button', { name: 'تسجيل الخروج' }).click()
  await page.getByRole('heading', { name: 'مرحبًا بعودتك' }).waitFor()
  expect(await findProblems()).toEqual(none)
})

test('When a guest chooses another language, then the page keeps what was typed, errors follow, and the choice stays', async () => {
  const event = await createEvent()
  const page = await site.newPage(phone)
  await page.goto(`/upload?eventId=${event._id}`)
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 4')
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') }
  await page.setInputFiles('input[type=file]', [await photo('boat.jpg'), notes])
  await page.getByText("This file type isn't supported.").waitFor()
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  await page.getByRole('button', { name: 'Hochladen', exact: true }).waitFor()
  expect(await page.locator('input[name=photoCredit]').inputValue()).toBe('Table 4')
  expect(await page.getByText('boat.jpg').count()).toBe(1)
  await page.getByText('Dieser Dateityp geht hier leider nicht.').waitFor()
  expect(await findUnreadableTexts(page)).toEqual([])
  await page.reload()
  await page.getByRole('button', { name: 'Hochladen', exact: true }).waitFor()
  expect(await documentOf(page)).toEqual({ lang: 'de', dir: '' })
})

test('When the language changes while the server has rejected a field, then its message follows until the field changes', async () => {
  const page = await site.newPage(phone)
  await page.goto('/register')
  await page.getByLabel('Email').fill(site.organiser.user.email)
  await page.getByLabel('Password', { exact: true }).fill('long enough')
  await page.getByRole('button', { name: 'Create Account' }).click()
  const email = page.locator('input[name=email]')
  const errorOf = async () => {
    const id = await email.getAttribute('aria-describedby')
    return id && page.locator(`[id="${id}"]`).textContent()
  }
  await page.locator('input[name=email][aria-invalid]').waitFor()
  expect(await errorOf()).toBe('An account with this email already exists.')
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  await page.getByText('Mit dieser E-Mail-Adresse gibt es schon ein Konto.').first().waitFor()
  expect(await errorOf()).toBe('Mit dieser E-Mail-Adresse gibt es schon ein Konto.')
  await email.fill('somebody.else@confetti.test')
  expect(await email.getAttribute('aria-invalid')).toBeNull()
})

test('When the file of a language cannot be loaded, then the page keeps its language and says so', async () => {
  const event = await createEvent()
  const page = await site.newPage(phone)
  await page.route(/locale-fr-json\./, (route) => route.abort())
  await page.goto(`/upload?eventId=${event._id}`)
  await page.getByLabel('Language').selectOption({ label: 'Français' })
  await page.getByText("Couldn't load this language. Try again.").waitFor()
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  expect(await documentOf(page)).toEqual({ lang: 'en', dir: '' })
})

test('When organisers choose a language and translate an event, then guests whose language is missing read it', async () => {
  const event = await createEvent()
  const organiser = await site.newPage({ account: site.organiser })
  await organiser.goto(`/myevents/${event._id}/settings`)
  await organiser.getByLabel('Language of the event').selectOption('Polski')
  await organiser.getByLabel('Translate into').selectOption('Polski')
  await organiser.getByLabel('Event name in Polski').fill('Wesele w ogrodzie')
  await organiser.getByLabel('Welcome text in Polski').fill('Miło, że jesteście!')
  await organiser.getByRole('button', { name: 'Save settings' }).click()
  await organiser.getByText('Translated: Polski.').waitFor()

  const welsh = await site.newPage({ ...phone, locale: 'cy' })
  await welsh.goto(`/upload?eventId=${event._id}`)
  await welsh.getByRole('heading', { name: 'Wesele w ogrodzie' }).waitFor()
  await welsh.getByText('Miło, że jesteście!').waitFor()
  expect((await documentOf(welsh)).lang).toBe('pl')
  const english = await site.newPage({ ...phone, locale: 'en-GB' })
  await english.goto(`/upload?eventId=${event._id}`)
  await english.getByRole('heading', { name: event.name }).waitFor()
})
