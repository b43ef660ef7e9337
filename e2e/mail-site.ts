import { startMailServer, type MailServer } from '@confetti/test-kit'
import { startSite, type OwnSite } from './site.ts'

/** A site that sends mails to a server of the test. */
export interface MailSite {
  site: OwnSite
  mailServer: MailServer
  stop: () => Promise<void>
}

/** Starts a site that sends mails; `notifications` are further settings of that service. */
export const startMailSite = async (notifications: Record<string, string> = {}): Promise<MailSite> => {
  const mailServer = await startMailServer()
  const site = await startSite({
    environment: {
      auth: { MAIL: 'on' },
      notifications: { SMTP_URL: mailServer.url, CHECK_INTERVAL_MS: '200', ...notifications },
    },
  })
  return {
    site,
    mailServer,
    stop: async () => {
      await site.stop()
      await mailServer.stop()
    },
  }
}
