/** The span attributes of an HTTP call to another service, as OpenTelemetry's semantic conventions name them. */
export const httpClientAttributes = (method: string, url: URL, template: string) => ({
  'http.request.method': method,
  'url.full': url.href,
  'url.template': template,
  'server.address': url.hostname,
  'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
})
