import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createContactMails } from './contact-mails.ts'

test('When the mail to one admin cannot be made, then the others get theirs, and the message is handled again', async () => {
  const sent: string[] = []
  const admins = ['failing', 'other'].map((_id) => ({ _id, email: `${_id}@example.com`, language: 'en' }))
  const { notifyAdmins } = createContactMails({
    users: { listActiveAdmins: () => Promise.resolve(admins) },
    enqueueMail: ({ userId }: { userId: string }) =>
      userId === 'failing' ? Promise.reject(new Error('no')) : Promise.resolve(void sent.push(userId)),
    site: { brand: 'Confetti', shellUrl: 'https://confetti.example' },
    logger: createLogger('test', 'fatal'),
  } as unknown as Deps)
  const contact = {
    _id: 'contact',
    subject: 'Hello',
    message: 'Hello',
    userEmail: 'o@example.com',
    userId: 'o',
  }
  await expect(notifyAdmins(contact as never)).rejects.toThrow('some admins were not mailed')
  expect(sent).toEqual(['other'])
})
