import type { Theme } from '@confetti/session'

/** The pages of guests, who have no button for the theme. The inline script of index.html has the same paths. */
const guestPages = /^\/(upload|thank-you|gallery|mine|privacy|e\/[^/]+)\/?$/

/** The theme of a page where the user has chosen none: guests' pages follow the device. */
export const getDefaultTheme = (pathname: string): Theme => (guestPages.test(pathname) ? 'system' : 'light')
