import { createHash } from 'node:crypto'

/** Where a page of the shell may load from beside its own address, each a list as a policy writes it. */
export interface PolicyOrigins {
  /** Of the remotes' files. */
  scripts: string
  /** Of the API, the remotes' manifests and blob storage. */
  connections: string
  /** Of photos and videos: blob storage. */
  media: string
}

const hashesOfScripts = (page: string): string[] =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/**
 * The Content-Security-Policy of the shell's pages, of which `page` is the built index.html. Scripts that stand in
 * it are allowed by their hash; styles altogether, as dialogs write some while they keep the page from scrolling.
 */
export const contentSecurityPolicy = (page: string, { scripts, connections, media }: PolicyOrigins): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hashesOfScripts(page).join(' ')} ${scripts}`,
    `style-src 'self' 'unsafe-inline' ${scripts}`,
    "font-src 'self'",
    // canvas-confetti makes its worker from its own text.
    'worker-src blob:',
    // What a guest has chosen is shown before it is sent, and a QR code comes in the answer that names it.
    `img-src 'self' data: blob: ${media}`,
    `media-src 'self' blob: ${media}`,
    `connect-src 'self' ${connections}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
