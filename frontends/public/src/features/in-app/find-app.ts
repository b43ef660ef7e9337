/**
 * Apps in whose own browser choosing, sending or saving photos is known to fail, by what the user agents of these browsers
 * contain. The README says what was read about each.
 */
const apps = [
  ['Instagram', /Instagram/],
  ['Facebook', /FB(AN|AV|_IAB)/],
  ['TikTok', /musical_ly|Bytedance|TikTok/],
  ['WeChat', /MicroMessenger/],
  ['LINE', /\bLine\//],
] as const

/** The name of the app in whose browser the page is, if it is one of these. */
export const findApp = (userAgent: string): string | undefined =>
  apps.find(([, pattern]) => pattern.test(userAgent))?.[0]
