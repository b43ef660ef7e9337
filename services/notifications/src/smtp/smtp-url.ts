interface SmtpServer {
  host: string
  port: number
  /** TLS from the start. */
  secure: boolean
  requireTLS: boolean
  tls: { rejectUnauthorized: boolean }
  auth?: { user: string; pass: string }
}

/**
 * The server of an `smtp://` or `smtps://` address. With credentials the connection is encrypted and its certificate is
 * verified. Without credentials `smtp://` is encrypted if the server offers it, as between mail servers.
 */
export const parseSmtpUrl = (text: string): SmtpServer => {
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  const hasCredentials = url.username !== ''
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    requireTLS: hasCredentials,
    tls: { rejectUnauthorized: secure || hasCredentials },
    ...(hasCredentials && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  }
}
