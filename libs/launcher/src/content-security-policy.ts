import { createHash } from 'node:crypto'

/** The other origins that a page of the shell may load from, each a space-separated list. */
export interface PolicyOrigins {
  /** Origins of the remotes' files. */
  scripts: string
  /** Origins of the API, the remotes' manifests and blob storage. */
  connections: string
  /** Origins of photos and videos (blob storage). */
  media: string
}

const inlineScriptHashes = (page: string): string[] =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/**
 * Returns the Content-Security-Policy of the shell's pages. `page` is the content of the built index.html,
 * whose inline scripts are allowed by their hashes. All inline styles are allowed, because dialogs add some
 * to block scrolling.
 */
export const contentSecurityPolicy = (page: string, { scripts, connections, media }: PolicyOrigins): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${inlineScriptHashes(page).join(' ')} ${scripts}`,
    `style-src 'self' 'unsafe-inline' ${scripts}`,
    "font-src 'self'",
    // The service worker, and the workers that canvas-confetti and uploads create from a blob URL.
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    // Previews of selected files are blob URLs, and QR codes are data URLs.
    `img-src 'self' data: blob: ${media}`,
    `media-src 'self' blob: ${media}`,
    `connect-src 'self' ${connections}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
